/** Clients on a real deployment whose last appserver attacks on its real sockets: nothing is lost, and what is provable is proved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AspasClient } from '../../src/client/index.js';
import { readDeployment } from '../../src/client/node.js';
import { loadDescriptor, verifyEvidence, verifyFile } from '../../src/verify/index.js';
import { startCluster, until } from '../support/cluster.js';

const UPDATES = 30;
const LIAR = 3;
const MOST_CLIENTS = 40;

/** Roles whose misdeeds can be proved by what they sign, and roles that clients can only leave. */
const PROVABLE = [
  'forking', 'signed-forged-certificates', 'wrong-values', 'certificates-going-back', 'wrong-entries', 'wrong-stable', 'forged-requests', 'two-logs',
  'undersigned-certificates', 'understated-dependencies', 'broken-last-entry', 'twins', 'heads-of-nothing',
];
const LEFT = ['mute', 'withholding-certificates', 'silent-to-peers'];
/** Usually a few; ASPAS_ROLES names others, or all. */
const USUAL = ['forking', 'signed-forged-certificates', 'wrong-values', 'mute'];
const wanted = process.env.ASPAS_ROLES?.split(',') ?? USUAL;
const chosen = wanted[0] === 'all' ? [...PROVABLE, ...LEFT] : wanted;

async function deployment(role) {
  const cluster = await startCluster(role);
  const parts = await readDeployment(cluster.directory);
  const { descriptor } = await loadDescriptor(parts.descriptor.text, parts.descriptor.signature, parts.descriptor.operator);
  return { cluster, descriptor };
}

/** Each client adds to one counter, and waits for every confirmation. */
async function load(clients, key) {
  let added = 0n;
  await Promise.all(clients.map(async (client) => {
    const confirmed = [];
    for (let i = 0; i < UPDATES; i++) {
      const update = await client.counter(key).increment(i + 1);
      added += BigInt(i + 1);
      confirmed.push(update.confirmed);
    }
    await Promise.all(confirmed);
  }));
  return added;
}

/** Clients go on until the liar is excluded. Where all have left it before it gave itself away, two new ones come. */
async function evidenceOf(descriptor, clients, connect) {
  const { servicePort } = descriptor.appservers[0];
  return until(`appserver ${LIAR} is excluded`, async () => {
    if (clients.length < MOST_CLIENTS && !clients.some(({ server }) => server === LIAR)) clients.push(await connect(LIAR), await connect(LIAR));
    await Promise.all(clients.map((client) => client.counter('more').increment(1)));
    const { appservers } = await (await fetch(`http://127.0.0.1:${servicePort}/v1/blacklist`)).json();
    if (appservers.length === 0) return null;
    assert.deepEqual(appservers.map((one) => one.server), [LIAR], 'only the liar is excluded');
    const reply = await fetch(`http://127.0.0.1:${servicePort}/v1/evidence/${appservers[0].evidence}`);
    return reply.ok ? new Uint8Array(await reply.arrayBuffer()) : null;
  });
}

for (const role of chosen) {
  test(`an appserver that attacks as ${role}`, { timeout: 900_000 }, async (t) => {
    const { cluster, descriptor } = await deployment(role);
    const happened = [];
    const findings = [];
    const on = { '*': (event) => happened.push(event), convicted: (event) => findings.push(...event.findings) };
    const clients = [];
    const connect = (server) =>
      AspasClient.connect({ descriptor, server, tolerance: 8, inspect: 0.2, on, readMillis: 120_000, connectMillis: 120_000 });
    try {
      for (const server of [LIAR, LIAR, 0]) clients.push(await connect(server));
      const added = await load(clients, 'likes/42');
      const read = await clients[2].counter('likes/42').get({ level: 'certified' });
      assert.equal(read.value, added, 'every update counts once');
      const file = await verifyFile(descriptor, read.proof);
      assert.ok(file.ok && file.value === added, file.reason);
      assert.deepEqual(happened.filter(({ name }) => name === 'error'), []);
      if (!PROVABLE.includes(role)) {
        assert.ok(happened.some(({ name, from }) => name === 'switched' && from === LIAR), 'clients leave it');
        return;
      }
      const evidence = await evidenceOf(descriptor, clients, connect);
      const verdict = await verifyEvidence(descriptor, evidence, { findings });
      assert.deepEqual(verdict.accused, { role: 'appserver', index: LIAR });
      // Findings on a wrong answer are known to those who complained; others may have convicted the liar before.
      assert.equal(verdict.finding, verdict.kind === 'WrongAnswer' && findings.length === 0 ? 'needs-replay' : 'guilty', verdict.reason);
      for (const [at] of evidence.entries()) {
        const flipped = evidence.slice();
        flipped[at] ^= 1 << (at % 8);
        assert.equal((await verifyEvidence(descriptor, flipped, { findings })).ok, false, `byte ${at} flipped`);
      }
      t.diagnostic(`${role}: ${verdict.kind}, ${evidence.length} bytes, each flipped; every client is with ${clients.map(({ server }) => server)}`);
    } finally {
      for (const client of clients) await client.close();
      await cluster.stop();
    }
  });
}
