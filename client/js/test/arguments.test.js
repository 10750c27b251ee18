/** What no server could take: refused at the call in one way, and everything else goes on as if it had not been asked for. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AspasClient, AspasError } from '../src/client/index.js';
import { parseHex } from '../src/verify/index.js';
import { wrongHost } from '../src/verify/host.js';
import { wrongElement, wrongText } from '../src/verify/values.js';
import { descriptor } from './support/example.js';
import { Appservers } from './support/appserver.js';

const texts = JSON.parse(readFileSync(new URL('../../../docs/vectors/texts.json', import.meta.url), 'utf8'));

/** The input of a case; undefined where it is bytes for a text, which JavaScript has no door for. */
function input(one) {
  if (one.text !== undefined) return one.text;
  if (one.repeat !== undefined) return one.repeat[0].repeat(one.repeat[1]);
  if (one.int !== undefined) return BigInt(one.int);
  if (one.bytes !== undefined) return parseHex(one.bytes);
  if (one.repeatBytes !== undefined) return parseHex(one.repeatBytes[0].repeat(one.repeatBytes[1]));
  return one.json;
}

const refusal = (reason) => (error) => error instanceof AspasError && error.code === 'bad-argument' && error.reason === reason;

/** Neither what is sent nor what is answered matters to what a call refuses. */
async function client(options = {}) {
  const server = new Appservers();
  const connected = await AspasClient.connect({ descriptor, open: server.open, ...options });
  return { connected, server };
}

test('texts.json: keys, at every call', async () => {
  const { connected, server } = await client();
  const before = server.asked;
  let refused = 0;
  for (const one of texts.keys.filter(({ hex }) => hex === undefined)) {
    assert.equal(wrongText(input(one), 1, 512), one.valid ? null : one.reason, one.name);
    for (const object of [() => connected.counter(input(one)), () => connected.set(input(one))]) {
      if (one.valid) object();
      else assert.throws(object, refusal(one.reason), one.name);
    }
    refused += one.valid ? 0 : 1;
  }
  assert.ok(refused > 10);
  for (const key of [undefined, 7n, Symbol('k'), () => 'k', new String('k'), Uint8Array.of(0x6b), { toString: () => 'k' }]) {
    assert.throws(() => connected.counter(key), refusal('not-text'));
  }
  assert.equal(server.asked, before, 'nothing was sent');
  await connected.close();
});

test('texts.json: elements, at every call', async () => {
  const { connected, server } = await client();
  const set = connected.set('s');
  for (const one of texts.elements) {
    const value = input(one);
    if (typeof value === 'bigint' || typeof value !== 'number') assert.equal(wrongElement(value), one.valid ? null : one.reason, one.name);
    if (one.valid) continue;
    for (const call of [() => set.add(value), () => set.remove(value), () => set.has(value)]) assert.throws(call, refusal(one.reason), one.name);
  }
  assert.throws(() => set.add(2 ** 53), refusal('out-of-range'));
  for (const value of [undefined, NaN, Infinity, Symbol('e'), new Date(0), new Map(), new Uint16Array(2), new ArrayBuffer(2), new String('x'), () => 1]) {
    assert.throws(() => set.add(value), refusal('not-an-element'), String(value));
  }
  assert.equal(server.updates.length, 0);
  await connected.close();
});

test('all other arguments', async () => {
  const { connected, server } = await client();
  const before = server.asked;
  const [counter, set] = [connected.counter('c'), connected.set('s')];
  const bad = { code: 'bad-argument' };
  const strange = [null, 'x', '1', NaN, -1, 1.5, {}, [], [1], true, Symbol('n'), () => 1, new Date(1), 1n << 63n];
  for (const by of [...strange, 0, 0n, 2 ** 53]) {
    assert.throws(() => counter.increment(by), bad);
    assert.throws(() => counter.decrement(by), bad);
  }
  for (const number of strange) assert.throws(() => connected.certificate(number), bad);
  for (const tolerance of [...strange, 0, 1n]) assert.throws(() => { connected.tolerance = tolerance; }, bad);
  for (const options of [null, 'certified', 5, { level: 'sure' }, { level: null }, { level: Symbol('l') }, { millis: NaN }, { millis: -1 }, { millis: '5' },
    { millis: Infinity }, { millis: null }, { millis: 5n }]) {
    for (const call of [() => counter.get(options), () => set.get(options), () => set.has('x', options)]) assert.throws(call, bad);
    if (options?.level === undefined) assert.throws(() => set.pages(options), bad);
    if (options?.level === undefined) assert.throws(() => connected.certificate(1, options), bad);
  }
  for (const listener of [undefined, null, 'x', {}]) assert.throws(() => connected.on('error', listener), bad);
  assert.throws(() => connected.on(Symbol('error'), () => {}), bad);
  assert.equal(server.asked, before, 'nothing was sent');
  await connected.close();
});

test('all options of a client', async () => {
  const state = { load: () => ({ certificate: 0n, open: [] }), save() {}, close() {} };
  const key = '07'.repeat(32);
  const open = new Appservers().open;
  for (const options of [
    undefined, null, 5, 'x', {}, { descriptor: null }, { descriptor: {} }, { descriptor: { text: 5 } }, { descriptor: { text: '{}', signature: null, operator: null } },
    { server: 4 }, { server: -1 }, { server: '0' }, { server: null }, { server: Symbol('s') }, { tolerance: 0 }, { tolerance: '8' }, { tolerance: null },
    { answerMillis: NaN }, { graceMillis: '5' }, { readMillis: 0 }, { connectMillis: Infinity }, { mostUnconfirmed: 0 }, { mostUnconfirmed: 1.5 },
    { inspect: -1 }, { inspect: 'x' }, { key: 5 }, { key: 'x' }, { key: new Uint8Array(31) }, { on: 5 }, { on: { error: 5 } }, { state }, { key, state: { ...state, save: 5 } },
    { key, state: { ...state, load: () => undefined } }, { key, state: { ...state, load: () => ({ certificate: 0, open: [] }) } },
    { key, state: { ...state, load: () => ({ certificate: 0n, open: ['x'] }) } },
  ]) {
    const given = options !== null && typeof options === 'object' && Object.keys(options).length > 0 ? { descriptor, open, ...options } : options;
    await assert.rejects(AspasClient.connect(given), { code: 'bad-argument' });
  }
});

test('a client goes on after bad calls, which take no number', async () => {
  const { connected, server } = await client();
  const rejections = [];
  const note = (error) => rejections.push(error);
  process.on('unhandledRejection', note);
  for (const round of [1n, 2n]) {
    assert.throws(() => connected.set('s').add('\ud800'), refusal('lone-surrogate'));
    assert.throws(() => connected.counter('k\ud800').increment(), refusal('lone-surrogate'));
    assert.throws(() => connected.counter('k\ud800').get(), refusal('lone-surrogate'));
    assert.throws(() => connected.set('s').has('\udc00'), refusal('lone-surrogate'));
    const { number } = await connected.counter('c').increment();
    assert.equal(number, round);
  }
  assert.deepEqual(server.updates, [1n, 2n]);
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  assert.deepEqual(rejections, []);
  await connected.close();
});

test('an update that cannot be signed fails alone', async (t) => {
  const { connected } = await client();
  t.mock.method(globalThis.crypto.subtle, 'sign', () => Promise.reject(new Error('no key today')), { times: 1 });
  await assert.rejects(connected.counter('c').increment(), /no key today/);
  assert.equal((await connected.counter('c').increment()).number, 1n);
  await connected.close();
});

test('bytes that the application changes later are sent as they were', async () => {
  const { connected, server } = await client();
  const element = Uint8Array.of(1, 2);
  const added = connected.set('s').add(element);
  element[0] = 9;
  await added;
  assert.deepEqual(server.arguments, [[Uint8Array.of(1, 2)]]);
  await connected.close();
});

test('where there is no Web Crypto, one sentence says so', () => {
  const program = `Object.defineProperty(globalThis, 'crypto', { value: undefined });
    const { AspasClient } = await import(${JSON.stringify(new URL('../src/client/index.js', import.meta.url).href)});
    await AspasClient.connect({}).catch((error) => console.log(error.code, error.message));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.match(stdout, /^unsupported .*Node 20 or newer/, stderr);
});

test('texts.json: hosts, as a descriptor has them', async () => {
  for (const one of texts.hosts.filter(({ hex }) => hex === undefined)) assert.equal(wrongHost(input(one)), one.valid ? null : one.reason, one.name);
});
