/** What the client promises, on a real deployment: τ, both levels of reads, sets, pages, refusals, and a server that goes away. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AspasClient, AspasError } from '../../src/client/index.js';
import { readDeployment } from '../../src/client/node.js';
import { compareValues, loadDescriptor, verifyCertificate, verifyChain } from '../../src/verify/index.js';
import { startCluster, until } from '../support/cluster.js';

let cluster;
let descriptor;
let given;
const open = (options) => AspasClient.connect({ ...given, readMillis: 120_000, connectMillis: 120_000, answerMillis: 60_000, ...options });

before(async () => {
  cluster = await startCluster();
  given = await readDeployment(cluster.directory);
  ({ descriptor } = await loadDescriptor(given.descriptor.text, given.descriptor.signature, given.descriptor.operator));
});
after(() => cluster?.stop());

test('an update is answered, then confirmed, and a certified read proves it', async () => {
  const client = await open({ tolerance: 4 });
  const update = await client.counter('a').increment(5);
  assert.equal(update.number, 1n);
  const { certificate } = await update.confirmed;
  assert.ok(certificate >= 1n);
  const read = await client.counter('a').get({ level: 'certified' });
  assert.equal(read.value, 5n);
  assert.ok(read.certificate >= certificate);
  assert.equal((await client.counter('nothing').get({ level: 'certified' })).value, 0n);
  await (await client.counter('a').decrement(7n)).confirmed;
  assert.equal((await client.counter('a').get()).value, -2n);
  await client.close();
});

test('τ bounds what is unconfirmed, and may be changed', async () => {
  const client = await open({ tolerance: 2, server: 1 });
  let most = 0;
  const updates = Array.from({ length: 12 }, () => client.counter('b').increment().then((update) => {
    most = Math.max(most, client.unconfirmed);
    return update;
  }));
  await Promise.all((await Promise.all(updates)).map(({ confirmed }) => confirmed));
  assert.ok(most >= 1 && most <= 2, `${most} were unconfirmed at once`);
  client.tolerance = 1;
  const confirmed = [];
  client.on('confirmed', ({ number }) => confirmed.push(number));
  const { number } = await client.counter('b').increment();
  assert.deepEqual(confirmed, [number], 'with τ = 1 an update returns when it is confirmed');
  assert.equal((await client.counter('b').get({ level: 'certified' })).value, 13n);
  await client.close();
});

test('sets, single elements and pages', async () => {
  const client = await open({ server: 2 });
  const elements = [...Array.from({ length: 150 }, (_, i) => BigInt(i)), 'text', 'é', Uint8Array.of(1, 2)];
  const updates = await Promise.all(elements.map((element) => client.set('s').add(element)));
  await Promise.all(updates.map(({ confirmed }) => confirmed));
  await (await client.set('s').remove(7)).confirmed;
  const left = elements.filter((element) => element !== 7n);
  const { value } = await client.set('s').get({ level: 'certified' });
  assert.deepEqual(value, [...left].sort(compareValues));
  assert.equal((await client.set('s').has('text', { level: 'certified' })).value, true);
  assert.equal((await client.set('s').has(7, { level: 'certified' })).value, false);
  assert.equal((await client.set('s').has('text')).value, true);
  const paged = [];
  for await (const page of client.set('s').pages()) paged.push(...page.value);
  assert.deepEqual(paged.sort(compareValues), [...left].sort(compareValues));
  await client.close();
});

test('a reader of many pages leaves no server while somebody writes', { timeout: 600_000 }, async () => {
  const count = 2_600;
  const writer = await open({ server: 1 });
  const set = writer.set('pages');
  const updates = await Promise.all(Array.from({ length: count }, (_, i) => set.add(i)));
  await Promise.all(updates.map(({ confirmed }) => confirmed));
  const left = [];
  const reader = await open({ server: 2, on: { switched: (one) => left.push(one), 'not-verified': (one) => left.push(one) } });
  const found = new Set();
  const numbers = new Set();
  let pages = 0;
  for await (const page of reader.set('pages').pages()) {
    for (const element of page.value) found.add(element);
    numbers.add(page.certificate);
    pages++;
    await (await writer.counter('beside').increment()).confirmed; // The next page comes with a newer certificate.
  }
  assert.ok(pages > 1, 'the set is of more than one page');
  assert.equal(found.size, count);
  assert.equal(numbers.size, 1, 'all pages are of one certificate');
  assert.deepEqual(left, []);
  await Promise.all([writer.close(), reader.close()]);
});

test('an update of another type is refused, and the client goes on', async () => {
  const client = await open({ tolerance: 8 });
  await (await client.set('typed').add('x')).confirmed;
  await assert.rejects(client.counter('typed').increment(), (error) => error instanceof AspasError && error.reason === 'wrong-type');
  await (await client.set('typed').add('y')).confirmed;
  assert.deepEqual((await client.set('typed').get({ level: 'certified' })).value, ['x', 'y']);
  await client.close();
  await assert.rejects(client.set('typed').add('z'), { code: 'closed' });
});

test('two clients with one key are two clients', async () => {
  const key = '07'.repeat(32);
  const [one, other] = await Promise.all([open({ key }), open({ key, server: 3 })]);
  assert.notEqual(one.id, other.id);
  assert.equal(one.id.slice(0, 64), other.id.slice(0, 64));
  const updates = await Promise.all([one, other].map((client) => client.counter('k').increment()));
  await Promise.all(updates.map(({ confirmed }) => confirmed));
  assert.equal((await one.counter('k').get({ level: 'certified' })).value, 2n);
  await Promise.all([one.close(), other.close()]);
});

test('certificates of the deployment follow each other', async () => {
  const client = await open({});
  const newest = await client.certificate();
  const before = await client.certificate(newest.content.number - 1n);
  assert.ok((await verifyCertificate(descriptor, newest.encoded)).ok);
  assert.ok((await verifyChain(descriptor, [before.encoded, newest.encoded])).ok);
  await client.close();
});

test('what no server can take is an error of the caller at once', async () => {
  const client = await open({});
  for (const wrong of [0, -1, 1.5, 'x', 1n << 63n]) assert.throws(() => client.counter('a').increment(wrong), { code: 'bad-argument' });
  assert.throws(() => client.counter(''), { code: 'bad-argument' });
  assert.throws(() => client.set('s').add('x'.repeat(5000)), { code: 'bad-argument' });
  await assert.rejects(open({ tolerance: 0 }), { code: 'bad-argument' });
  await assert.rejects(open({ descriptor: { ...given.descriptor, operator: '00'.repeat(32) } }), { code: 'bad-argument' });
  await client.close();
});

/** A gauge of an appserver's status, wherever in it that stands. */
async function gauge({ servicePort }, name) {
  const text = await (await fetch(`http://127.0.0.1:${servicePort}/v1/status`)).text();
  const [, value] = new RegExp(`"${name}"\\s*:\\s*([0-9]+)`).exec(text) ?? [];
  return Number(value ?? 0);
}

test('other servers take requests by their tags', async () => {
  const others = descriptor.appservers.slice(1);
  const before = await Promise.all(others.map((node) => gauge(node, 'tags_right')));
  const client = await open({ tolerance: 16 });
  const updates = [];
  for (let i = 0; i < 40; i++) updates.push(await client.counter('tagged').increment());
  await Promise.all(updates.map(({ confirmed }) => confirmed));
  await client.close();
  for (const [i, node] of others.entries()) {
    await until('requests are taken by their tags', async () => (await gauge(node, 'tags_right')) > before[i]);
    assert.equal(await gauge(node, 'tags_wrong'), 0);
  }
});
