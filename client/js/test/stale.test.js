/** A server whose certificates have fallen behind those of others: its values are genuine, and old. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AspasClient } from '../src/client/index.js';
import { Appservers } from './support/appserver.js';
import { descriptor } from './support/example.js';
import { certificates } from './support/samples.js';

/** The three questions at the start, and those of some comparisons. */
const COMPARED = 7;

/** A client that reads all the time, and whose comparisons come soon; `newest` says what each server has once it is connected. */
async function reading(newest, until) {
  const servers = new Appservers();
  const client = await AspasClient.connect({ descriptor, open: servers.open, graceMillis: 10 });
  const left = [];
  let compared = 0;
  client.on('switched', (event) => left.push(event));
  servers.newest = (server) => {
    compared += server === client.server ? 0 : 1;
    return newest(server);
  };
  while (!until(left, compared)) {
    await client.counter('c').get().catch(() => {});
    await new Promise(setImmediate);
  }
  await client.close();
  return left;
}

test('a reader leaves a server whose certificates have fallen behind', { timeout: 20_000 }, async () => {
  const [first] = await reading((server) => (server === 0 ? null : certificates[0]), (left) => left.length > 0);
  assert.equal(first.from, 0);
  assert.equal(first.why, 'stale');
});

test('a reader stays with a server that has what others have', { timeout: 20_000 }, async () => {
  assert.deepEqual(await reading(() => null, (left, compared) => left.length > 0 || compared >= COMPARED), []);
});

test('a certificate that does not verify accuses nobody', { timeout: 20_000 }, async () => {
  const forged = { ...certificates[0], signatures: certificates[0].signatures.slice(0, 1) };
  assert.deepEqual(await reading((server) => (server === 0 ? null : forged), (left, compared) => left.length > 0 || compared >= COMPARED), []);
});
