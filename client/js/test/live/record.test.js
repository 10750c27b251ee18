/** A client with a record whose process is killed: the next one goes on, each update counts once, and no number gets another content. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AspasClient } from '../../src/client/index.js';
import { fileState, readDeployment } from '../../src/client/node.js';
import { decode, messages, parseHex, toHex } from '../../src/verify/index.js';
import { signed } from '../../src/verify/schema.js';
import { startCluster } from '../support/cluster.js';

const SEED = '42'.repeat(32);
const MODULES = new URL('../../src/client/', import.meta.url).href;
const ANSWERS = 7;
let cluster;
let files;
let path;

before(async () => {
  files = await mkdtemp(join(tmpdir(), 'aspas-js-record-'));
  path = join(files, 'me.record');
  cluster = await startCluster();
});
after(async () => {
  await cluster?.stop();
  await rm(files, { recursive: true });
});

/** Increments without end in a process of its own, which is killed after some answers. */
async function killed() {
  const program = `import { AspasClient } from '${MODULES}index.js';
    import { fileState, readDeployment } from '${MODULES}node.js';
    const client = await AspasClient.connect({ ...(await readDeployment(${JSON.stringify(cluster.directory)})), key: '${SEED}',
      state: fileState(${JSON.stringify(path)}), connectMillis: 120000, answerMillis: 60000 });
    for (;;) console.log('answered', (await client.counter('killed').increment()).number);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => { child.on('exit', (code, signal) => resolve(signal)); });
  let said = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      said += data;
      if (said.split('\n').length > ANSWERS) resolve();
    });
    ended.then(() => reject(new Error(`it ended: ${said}`)));
  });
  child.kill('SIGKILL');
  assert.equal(await ended, 'SIGKILL');
}

test('a killed client goes on, from its record and from a copy at once', { timeout: 600_000 }, async () => {
  await killed();
  await copyFile(path, `${path}.copy`);
  const left = JSON.parse(await readFile(path, 'utf8')).open.map((hex) => decode(signed(messages.Request), parseHex(hex)).value.message);
  assert.ok(left.length > 0, 'it was killed with updates unconfirmed');
  const [{ client: earlier }] = left;
  const last = left.at(-1).number;
  assert.ok(last >= BigInt(ANSWERS));

  const options = { ...(await readDeployment(cluster.directory)), key: SEED, server: 1, tolerance: 8, connectMillis: 120_000, answerMillis: 60_000 };
  const accused = [];
  const client = await AspasClient.connect({ ...options, state: fileState(path), on: { evidence: (one) => accused.push(one) } });
  await assert.rejects(AspasClient.connect({ ...options, state: fileState(path) }), { code: 'in-use' });
  assert.notEqual(client.id, toHex(earlier), 'its own numbers are those of another client');
  const confirmed = await Promise.all(client.inherited.map((one) => one.confirmed));
  assert.ok(confirmed.every((one) => one.client === toHex(earlier)));
  assert.deepEqual(client.inherited, []);
  const copied = await AspasClient.connect({ ...options, server: 2, state: fileState(`${path}.copy`), on: { evidence: (one) => accused.push(one) } });
  assert.deepEqual((await Promise.all(copied.inherited.map((one) => one.confirmed))).map(({ number }) => number), confirmed.map(({ number }) => number));
  await copied.close();
  const own = [];
  for (let i = 0; i < 6; i++) own.push(await client.counter('killed').increment());
  assert.deepEqual(own.map(({ number }) => number), [1n, 2n, 3n, 4n, 5n, 6n]);
  await Promise.all(own.map((one) => one.confirmed));
  assert.equal((await client.counter('killed').get({ level: 'certified', millis: 120_000 })).value, last + 6n, 'each counts once');
  await client.close();

  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')).open, [], 'nothing is open any more');
  assert.deepEqual(accused, []);
});
