/** Deployments that `aspas init` made, whose servers are processes of their own. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LAUNCHER } from './cluster.js';

const run = promisify(execFile);
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

/** Makes a deployment; `options` are further ones of `aspas init`. */
export async function init(...options) {
  const parent = await mkdtemp(join(tmpdir(), 'aspas-js-'));
  const directory = join(parent, 'deployment');
  const ports = await freePorts(PORTS * SERVERS + SERVERS);
  const appservers = Array.from({ length: SERVERS }, (_, i) => ['127.0.0.1', ...ports.slice(PORTS * i, PORTS * (i + 1))].join(':'));
  const bftservers = ports.slice(PORTS * SERVERS).map((port) => `127.0.0.1:${port}`);
  await run(LAUNCHER, ['init', directory, ...options, '--appservers', appservers.join(','), '--bftservers', bftservers.join(',')]);
  return { directory, remove: () => rm(parent, { recursive: true }) };
}

/** Starts servers; with `--wait` among the options it resolves when they are ready. */
export async function up(directory, ...options) {
  await run(LAUNCHER, ['up', directory, ...options]);
  return { stop: () => run(LAUNCHER, ['down', directory, '--force']) };
}

/** Starts all appservers, which let pages of an origin use them; resolves when they listen. */
export async function startAppservers(directory, origin) {
  const children = Array.from({ length: SERVERS }, (_, i) =>
    spawn(LAUNCHER, ['appserver', directory, '--index', String(i), '--allow-origin', origin], { stdio: ['ignore', 'pipe', 'pipe'] }));
  const ended = children.map((child) => new Promise((resolve) => { child.on('exit', resolve); }));
  await Promise.all(children.map((child, i) => new Promise((resolve, reject) => {
    let output = '';
    const take = (data) => {
      output += data;
      if (/^appserver-[0-9]+ of .* runs/m.test(output)) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    ended[i].then((code) => reject(new Error(`appserver ${i} ended with ${code}:\n${output}`)));
  })));
  return {
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}
