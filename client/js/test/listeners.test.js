/** Listeners and clocks of the application: what they throw and where they jump changes nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AspasClient } from '../src/client/index.js';
import { Appservers } from './support/appserver.js';
import { descriptor } from './support/example.js';
import { certificates } from './support/samples.js';

const EVENTS = ['connected', 'disconnected', 'switched', 'resubmitted', 'certificate', 'closed', 'error', '*'];

/** Drives a client through a lost connection, a switch and a certificate, with a listener at each of these events. */
async function story(t, name, listener) {
  const logged = t.mock.method(console, 'error', () => {});
  const unhandled = [];
  const note = (error) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const servers = new Appservers();
  servers.certificates.set(1n, certificates[0]);
  const client = await AspasClient.connect({ descriptor, open: servers.open });
  let calls = 0;
  client.on(name, (...given) => {
    calls++;
    return listener(...given);
  });
  await client.counter('c').increment();
  servers.connections.get(0).closed('cut by the test');
  await client.counter('c').increment();
  assert.equal(client.server, 0, 'the same server gets one more chance');
  servers.connections.get(0).frame(Uint8Array.of(0));
  await client.counter('c').increment();
  assert.equal(client.server, 1);
  assert.equal((await client.certificate(1)).content.number, 1n);
  await client.counter('c').get();
  await client.close();
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
  return { calls, logged: logged.mock.callCount() };
}

for (const name of EVENTS) {
  for (const [how, listener] of [
    ['throws', () => { throw new Error(`mine at ${name}`); }],
    ['throws what is no error', () => { throw null; }], // eslint-disable-line no-throw-literal
    ['gives a promise that is rejected', async () => { throw new Error(`mine at ${name}`); }],
  ]) {
    test(`a listener of ${name} that ${how} changes nothing, and is reported`, async (t) => {
      const { calls, logged } = await story(t, name, listener);
      assert.ok(name === 'error' || calls > 0);
      assert.equal(logged, calls, 'each is reported once');
    });
  }
}

test('what a listener throws goes to those of error', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const servers = new Appservers();
  const errors = [];
  const mine = new Error('mine');
  const client = await AspasClient.connect({
    descriptor, open: servers.open, on: { connected() { throw mine; }, error: (error) => errors.push(error) },
  });
  await client.close();
  assert.deepEqual(errors, [mine]);
  assert.equal(logged.mock.callCount(), 0);
});

test('a listener may add and remove listeners, and close the client', async () => {
  const servers = new Appservers();
  const client = await AspasClient.connect({ descriptor, open: servers.open });
  let calls = 0;
  const again = () => {
    calls++;
    client.on('disconnected', again.bind(null));
    client.close();
  };
  client.on('disconnected', again);
  servers.connections.get(0).closed('cut by the test');
  await assert.rejects(client.counter('c').increment(), { code: 'closed' });
  assert.equal(calls, 1);
});

for (const [what, hours] of [['back', -1], ['forward', 1]]) {
  test(`the clock of the machine steps ${what} by an hour`, async (t) => {
    const servers = new Appservers();
    const client = await AspasClient.connect({ descriptor, open: servers.open, answerMillis: 1500 });
    const switches = [];
    client.on('switched', ({ why }) => switches.push(why));
    const { now } = Date;
    t.mock.method(Date, 'now', () => now() + hours * 3_600_000);
    await client.counter('c').increment();
    assert.deepEqual(switches, [], 'a server that answers is not left');
    servers.frozen.add(0);
    const [update, read] = await Promise.all([client.counter('c').increment(), client.counter('c').get()]);
    assert.deepEqual([update.server, read.server], [1, 1]);
    assert.deepEqual(switches, ['no-answer']);
    await assert.rejects(client.certificate(9, { millis: 300 }), { code: 'no-certificate' });
    for (const { index } of descriptor.appservers) servers.frozen.add(index);
    await assert.rejects(client.counter('c').get({ millis: 300 }), { code: 'timeout' });
    await client.close();
  });
}
