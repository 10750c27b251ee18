/** The record on disk: what it keeps, who may have it, and what it refuses. A killed process is in live/record.test.js. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { AspasClient } from '../src/client/index.js';
import { fileState } from '../src/client/node.js';
import { Window } from '../src/client/window.js';
import { encode, messages, parseHex, toHex } from '../src/verify/index.js';
import { signed } from '../src/verify/schema.js';
import { descriptor, sign } from './support/example.js';
import { client, request } from './support/samples.js';

const owner = { deployment: descriptor.id, key: client.subarray(0, 32) };
const bytes = (words) => toHex(encode(signed(messages.Request), words));
let directory;
let path;
let opened;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'aspas-record-'));
  path = join(directory, 'me.record');
  opened = [];
});
afterEach(() => {
  opened.forEach((state) => state.close());
  rmSync(directory, { recursive: true });
});

function open(of = owner) {
  const state = fileState(path);
  opened.push(state);
  return { state, left: state.load(of) };
}

test('what was saved is there, in the same bytes', async () => {
  const { state, left } = open();
  assert.deepEqual(left, { certificate: 0n, open: [] });
  const words = [await request(3, 'increment', 5n), await request(4, 'decrement', 1n)];
  state.save({ certificate: 17n, open: words });
  state.close();
  const again = open();
  assert.equal(again.left.certificate, 17n);
  assert.deepEqual(again.left.open.map(bytes), words.map(bytes));
  again.state.save({ certificate: 18n, open: [] });
  again.state.close();
  assert.deepEqual(open().left, { certificate: 18n, open: [] });
});

test('one process has it', () => {
  const { state } = open();
  assert.throws(() => open(), { code: 'in-use', message: new RegExp(`in use by process ${process.pid}`) });
  state.close();
  open();
});

test('a killed process leaves it to the next', async () => {
  const program = `import { fileState } from ${JSON.stringify(new URL('../src/client/node.js', import.meta.url).href)};
    fileState(${JSON.stringify(path)}).load({ deployment: new Uint8Array(32), key: new Uint8Array(32) });
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => { child.on('exit', resolve); });
  try {
    await new Promise((resolve) => { child.stdout.once('data', resolve); });
    assert.throws(() => open(), { code: 'in-use', message: new RegExp(`process ${child.pid}:`) });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  open();
  assert.deepEqual(readdirSync(directory), ['me.record.lock'], 'nothing else is left');
});

test('the lock of a process that ended, and for which nobody waited, holds nothing', { skip: process.platform !== 'linux' && 'this is not Linux' }, async () => {
  // The shell's child ends at once; the shell became a program that never waits for it.
  const shell = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const pid = await new Promise((resolve) => { shell.stdout.once('data', (data) => resolve(Number(data))); });
    const state = () => readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
    while (state()[0] !== 'Z') await new Promise(setImmediate);
    writeFileSync(`${path}.lock`, `${pid} ${state()[19]} 00\n`);
    open();
  } finally {
    shell.kill('SIGKILL');
  }
});

test('whoever lost the lock saves nothing, and leaves the lock of the next', async () => {
  const { state } = open();
  state.save({ certificate: 1n, open: [] });
  rmSync(`${path}.lock`);
  assert.throws(() => state.save({ certificate: 2n, open: [] }), { code: 'record', message: /not this client's any more/ });
  const next = open();
  assert.equal(next.left.certificate, 1n);
  assert.throws(() => state.save({ certificate: 2n, open: [] }), { code: 'record' });
  state.close();
  next.state.save({ certificate: 3n, open: [] });
  assert.throws(() => open(), { code: 'in-use' });
  next.state.close();
});

/** Takes the record again and again, adds one to what is in it, and says how often; now and then it leaves its lock as if it had been killed. */
const CONTENDER = `import { readFileSync, rmSync, writeFileSync } from 'node:fs';
  import { fileState } from ${JSON.stringify(new URL('../src/client/node.js', import.meta.url).href)};
  const [path, rounds] = [process.argv[1], Number(process.argv[2])];
  const owner = { deployment: new Uint8Array(32), key: new Uint8Array(32) };
  let done = 0;
  while (done < rounds) {
    const state = fileState(path);
    let left;
    try {
      left = state.load(owner);
    } catch (error) {
      if (error.code !== 'in-use') throw error;
      continue;
    }
    writeFileSync(path + '.alone', '', { flag: 'wx' });
    state.save({ certificate: left.certificate + 1n, open: [] });
    rmSync(path + '.alone');
    done++;
    if (done % 7 === 0) writeFileSync(path + '.lock', '999999999 1 00\\n');
    else state.close();
  }
  console.log(done);`;

test('processes that take one record at once have it one at a time', async () => {
  const rounds = 50;
  const children = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', CONTENDER, path, rounds], { stdio: ['ignore', 'pipe', 'inherit'] }));
  const counts = await Promise.all(children.map(async (child) => {
    let said = '';
    child.stdout.on('data', (data) => { said += data; });
    const code = await new Promise((resolve) => { child.on('close', resolve); });
    assert.equal(code, 0);
    return Number(said);
  }));
  assert.deepEqual(counts, [rounds, rounds, rounds]);
  rmSync(`${path}.lock`, { force: true });
  const { state, left } = open({ deployment: new Uint8Array(32), key: new Uint8Array(32) });
  assert.equal(left.certificate, BigInt(3 * rounds), 'no save is lost');
  state.close();
  assert.deepEqual(readdirSync(directory), ['me.record']);
});

test('what is damaged, or of others, is refused, and stays free', async () => {
  const { state } = open();
  state.save({ certificate: 1n, open: [await request(1, 'increment', 5n)] });
  state.close();
  const good = readFileSync(path, 'utf8');
  const changed = (change) => JSON.stringify({ ...JSON.parse(good), ...change });
  for (const [text, words] of [
    [changed({ open: ['00'] }), /a request that is none/], [changed({ open: [1] }), /a request that is none/],
    [changed({ certificate: 1 }), /no number/], [changed({ certificate: '9223372036854775808' }), /no number/],
    [changed({ format: 2 }), /no record of format 1/], [changed({ more: 1 }), /no record of format 1/],
    [changed({ open: Array(5000).fill('') }), /at most 4096/], [good.slice(0, -20), /is damaged/], ['null', /no record of format 1/],
    [changed({ key: '00'.repeat(32) }), /record of another key/], [changed({ deployment: '00'.repeat(32) }), /record of another deployment/],
  ]) {
    writeFileSync(path, text);
    assert.throws(() => open(), { code: 'bad-argument', message: words });
    assert.deepEqual(readdirSync(directory), ['me.record']);
  }
});

test('a request of another key is refused', async () => {
  const other = parseHex('11'.repeat(48));
  const words = await sign(messages.Request,
    { client: other, number: 1n, key: 'c', type: 'pn-counter', operation: { name: 'increment', arguments: [5n] } }, { sign: async () => new Uint8Array(64) });
  const { state } = open();
  state.save({ certificate: 1n, open: [words] });
  state.close();
  assert.throws(() => open(), { code: 'bad-argument', message: /a request of another key/ });
});

test('a disk that fails is told as such, and leaves the old record', () => {
  const { state } = open();
  state.save({ certificate: 1n, open: [] });
  mkdirSync(`${path}.new`); // Nothing can be written there.
  assert.throws(() => state.save({ certificate: 2n, open: [] }), { code: 'record' });
  state.close();
  assert.equal(open().left.certificate, 1n);
});

test('what would be too long to read again is not written', async () => {
  const { state } = open();
  state.save({ certificate: 1n, open: [] });
  const words = { payload: new Uint8Array(64 * 1024), signature: new Uint8Array(64) };
  assert.throws(() => state.save({ certificate: 2n, open: Array(512).fill(words) }), { code: 'record', message: /longer than 67108864 bytes/ });
  state.close();
  assert.equal(open().left.certificate, 1n);
});

test('a client has no more open than its record takes', () => {
  const bound = (tolerance, state) => new Window({ options: { tolerance, mostUnconfirmed: 9000, state } }).bound;
  const { state } = open();
  assert.deepEqual([bound(5000n, state), bound(0n, state), bound(8n, state)], [4096, 4096, 8]);
  assert.deepEqual([bound(5000n), bound(0n), bound(5000n, {})], [5000, 9000, 5000]);
});

test('a record needs a key', () => assert.rejects(AspasClient.connect({ descriptor, state: fileState(path) }), { code: 'bad-argument', message: /key/ }));
