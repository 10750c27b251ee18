/** A real deployment: all servers in a process of their own, one of which may attack. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What starts the programs of this tree. */
export const LAUNCHER = process.env.ASPAS_LAUNCHER ?? fileURLToPath(new URL('../../../../aspas', import.meta.url));
const READY_MILLIS = 600_000;
const MOST_TRIES = 5;

/** Starts `aspas cluster`; `role` is that of the last appserver, none for a sound one. Resolves when all servers are ready. */
export async function startCluster(role) {
  for (let left = MOST_TRIES; ; left--) {
    try {
      return await start(role);
    } catch (error) {
      // Another program took a port between its choice and its use.
      if (left === 1 || !/Address already in use/.test(error.message)) throw error;
    }
  }
}

async function start(role) {
  const parent = await mkdtemp(join(tmpdir(), 'aspas-js-'));
  const directory = join(parent, 'deployment');
  const args = ['cluster', '--until-eof', '--dir', directory, ...(role ? ['--byzantine', role] : [])];
  // Standard input stays open for as long as this process lives, so that no server outlives it.
  const child = spawn(LAUNCHER, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise((resolve) => { child.on('exit', (code) => resolve(code)); });
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the servers are not ready:\n${output}`)), READY_MILLIS);
    const take = (data) => {
      output += data;
      if (/^ready:/m.test(output)) {
        clearTimeout(timer);
        resolve();
      }
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`the servers ended with ${code}:\n${output}`));
    });
  });
  return {
    directory,
    output: () => output,
    async stop() {
      child.stdin.end();
      await ended;
      await rm(parent, { recursive: true });
    },
  };
}

/** Waits until something holds, and gives it. Fails after a time that only a system at a standstill needs. */
export async function until(what, holds, millis = 120_000) {
  const deadline = Date.now() + millis;
  for (;;) {
    const held = await holds();
    if (held) return held;
    if (Date.now() > deadline) throw new Error(`not in ${millis} ms: ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
}
