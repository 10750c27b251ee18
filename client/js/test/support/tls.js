/** Deployments that `aspas init --tls` made. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LAUNCHER } from './cluster.js';

const run = promisify(execFile);
const READY_SECONDS = 600;
const PORTS = 3;
const SERVERS = 4;

/** Ports that nobody has now, chosen all at once. */
async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen(0, '127.0.0.1', () => resolve(server));
  })));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => { server.close(resolve); })));
  return ports;
}

/** Makes a deployment whose clients come by TLS. */
export async function initTls() {
  const parent = await mkdtemp(join(tmpdir(), 'aspas-js-tls-'));
  const directory = join(parent, 'deployment');
  const ports = await freePorts(PORTS * SERVERS + SERVERS);
  const appservers = Array.from({ length: SERVERS }, (_, i) => ['127.0.0.1', ...ports.slice(PORTS * i, PORTS * (i + 1))].join(':'));
  const bftservers = ports.slice(PORTS * SERVERS).map((port) => `127.0.0.1:${port}`);
  await run(LAUNCHER, ['init', directory, '--tls', '--appservers', appservers.join(','), '--bftservers', bftservers.join(',')]);
  return { directory, remove: () => rm(parent, { recursive: true }) };
}

/** Starts all servers of a deployment, each in a process of its own; resolves when they are ready. */
export async function up(directory) {
  await run(LAUNCHER, ['up', directory, `--wait=${READY_SECONDS}`]);
  return { stop: () => run(LAUNCHER, ['down', directory, '--force']) };
}
