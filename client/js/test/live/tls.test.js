/** TLS, with the certificates that `aspas init --tls` makes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AspasClient } from '../../src/client/index.js';
import { readDeployment } from '../../src/client/node.js';
import { init, up } from '../support/deployment.js';

let ours;
let others;
let servers;

before(async () => {
  [ours, others] = await Promise.all([init('--tls'), init('--tls')]);
  servers = await up(ours.directory, '--wait=600');
});
after(async () => {
  await servers?.stop();
  await Promise.all([ours?.remove(), others?.remove()]);
});

test('a client trusts the authorities of its deployment', async () => {
  const client = await AspasClient.connect({ ...(await readDeployment(ours.directory)), connectMillis: 120_000, answerMillis: 60_000 });
  const { number, confirmed } = await client.counter('tls').increment(3);
  assert.equal(number, 1n);
  await confirmed;
  assert.equal((await client.counter('tls').get({ level: 'certified', millis: 120_000 })).value, 3n);
  await client.close();
});

test('a server with another certificate is refused, and the error says why', async () => {
  const parts = await readDeployment(ours.directory);
  const { ca } = await readDeployment(others.directory);
  for (const wrong of [ca, undefined]) {
    const reasons = [];
    await assert.rejects(AspasClient.connect({ ...parts, ca: wrong, connectMillis: 3000, on: { switched: ({ detail }) => reasons.push(detail) } }), (error) => {
      assert.equal(error.code, 'unreachable');
      assert.match(error.message, /appserver 0: its certificate is not trusted \(.+\): name who signed it with the option ca/);
      return true;
    });
    assert.ok(reasons.length > 0);
  }
});
