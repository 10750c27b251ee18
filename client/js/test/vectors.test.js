/** The vectors of docs/vectors: what every client accepts and refuses, in whatever language. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as verify from '../src/verify/index.js';
import { Reader } from '../src/verify/cbor.js';
import { sessionKey, tagOf } from '../src/client/tags.js';
import { leafHash, sha256, tagged } from '../src/verify/hash.js';
import { signedText } from '../src/verify/descriptor.js';
import { encode, kindOf, signed } from '../src/verify/schema.js';
import { SnapshotChunk } from '../src/verify/server-messages.js';
import { itemOf } from './support/items.js';

const { messages: m, parseHex, state, toHex } = verify;
const vectors = (name) => JSON.parse(readFileSync(new URL(`../../../docs/vectors/${name}.json`, import.meta.url), 'utf8'));
const hex = (digits) => parseHex(digits);
const leafOf = (leaf) => (leaf === null ? null : { path: hex(leaf.path), value: hex(leaf.value) });

/** Every case of a list; the list must have right ones and wrong ones, where wrong ones are possible. */
async function each(cases, check) {
  assert.ok(cases.length > 0);
  for (const one of cases) {
    try {
      await check(one);
    } catch (error) {
      error.message = `${one.name}: ${error.message}`;
      throw error;
    }
  }
}

async function theDescriptor() {
  const [first] = vectors('descriptor').cases;
  const { descriptor } = await verify.loadDescriptor(first.text, first.signatureFile, first.operatorKey);
  return descriptor;
}
const descriptor = await theDescriptor();

test('cbor.json', () => each(vectors('cbor').cases, ({ hex: digits, valid, value }) => {
  let read;
  try {
    const r = new Reader(hex(digits));
    read = r.value();
    r.finish();
  } catch {
    assert.equal(valid, false);
    return;
  }
  assert.equal(valid, true);
  assert.deepEqual(read, itemOf(value));
}));

test('signatures.json, by WebCrypto and by the library in JavaScript', async () => {
  for (const prefer of [false, true]) {
    verify.preferJavaScript(prefer);
    await each(vectors('signatures').cases, async ({ key, text, signature, valid }) =>
      assert.equal(await verify.verifySignature(hex(key), hex(text), hex(signature)), valid));
  }
  verify.preferJavaScript(false);
});

test('signed-texts.json', () => each(vectors('signed-texts').cases, async (one) => {
  const text = signedText(one.domain, hex(one.deployment), hex(one.payload));
  assert.equal(await verify.verifySignature(hex(one.key), text, hex(one.signature)), one.valid);
  if (!one.valid) return;
  assert.equal(toHex(text), one.signedText);
  const signer = await verify.signingKey(hex(one.seed));
  assert.equal(toHex(signer.publicKey), one.key);
  assert.equal(toHex(await signer.sign(text)), one.signature);
}));

test('log.json', async () => {
  const log = vectors('log');
  await each(log.leaves, ({ entry, leaf }) => assert.equal(toHex(leafHash(hex(entry))), leaf));
  const path = (one) => one.path.map(hex);
  await each(log.inclusion, (one) => assert.equal(verify.verifyInclusion(
    { leafIndex: BigInt(one.leafIndex), treeSize: BigInt(one.treeSize), path: path(one) }, hex(one.leaf), hex(one.root)), one.valid));
  await each(log.consistency, (one) => assert.equal(verify.verifyConsistency(
    { oldSize: BigInt(one.oldSize), newSize: BigInt(one.newSize), path: path(one) }, hex(one.oldRoot), hex(one.newRoot)), one.valid));
  assert.equal(toHex(tagged('aspas/v1/log-roots', ...log.logRootsDigest.roots.map(hex))), log.logRootsDigest.digest);
});

test('state.json', async () => {
  const { trees, paths, pages } = vectors('state');
  await each(trees, ({ root, leaves }) => assert.equal(toHex(state.stateRoot(leaves.map(leafOf))), root));
  await each(paths, ({ proof, proves, root, path, value, valid }) => {
    const parsed = { siblings: proof.siblings.map(hex), terminal: leafOf(proof.terminal) };
    const holds = proves === 'presence'
      ? state.provesPresence(parsed, hex(root), hex(path), hex(value)) : state.provesAbsence(parsed, hex(root), hex(path));
    assert.equal(holds, valid);
  });
  await each(pages, ({ proof, root, from, leaves, next, valid }) => {
    const parsed = { bits: Number(proof.bits), siblings: proof.siblings.map(hex), other: leafOf(proof.other) };
    assert.equal(state.provesPage(parsed, hex(root), hex(from), leaves.map(leafOf)), valid);
    if (valid) assert.equal(next, state.nextPage(parsed, hex(from)) && toHex(state.nextPage(parsed, hex(from))));
  });
});

test('messages.json', () => each(vectors('messages').cases, ({ kind, hex: digits, frame, domain, valid }) => {
  const bytes = hex(digits);
  const type = kindOf(Number(kind)) ?? m.Request;
  const decoded = verify.decode(type, bytes);
  assert.equal(decoded.ok, valid, decoded.reason);
  if (!valid) return;
  assert.equal(toHex(encode(type, decoded.value)), digits);
  assert.equal(type.domain, domain ?? null);
  if (domain === null || domain === undefined) return;
  const outer = verify.decode(signed(type), hex(frame));
  assert.ok(outer.ok, outer.reason);
  assert.equal(toHex(outer.value.payload), digits);
}));

test('descriptor.json', () => each(vectors('descriptor').cases, async (one) => {
  const verdict = await verify.loadDescriptor(one.text, one.signatureFile, one.operatorKey);
  assert.equal(verdict.ok, one.valid, `${verdict.reason} (${one.reason})`);
  if (one.valid) assert.equal(verdict.descriptor.idHex, one.deploymentId);
}));

test('certificates.json', async () => {
  const { certificates, chains } = vectors('certificates');
  await each(certificates, async (one) => {
    const verdict = await verify.verifyCertificate(descriptor, one.certificate);
    assert.equal(verdict.ok, one.valid, `${verdict.reason} (${one.reason})`);
    if (!one.valid) return;
    assert.equal(verdict.number, BigInt(one.number));
    assert.equal(verdict.hash, one.hash);
    assert.equal(toHex(verdict.certificate.content.state), one.stateRoot);
  });
  await each(chains, async (one) => {
    const verdict = await verify.verifyChain(descriptor, one.certificates);
    assert.equal(verdict.ok, one.valid, `${verdict.reason} (${one.reason})`);
  });
});

test('answers.json', async () => {
  const { server, client, answers, confirmations } = vectors('answers');
  const at = { server: Number(server), client: hex(client) };
  await each(answers, async (one) => {
    const verdict = await verify.verifyAnswer(descriptor, { answer: one.answer, update: one.request, ...at });
    assert.equal(verdict.ok, one.valid, `${verdict.reason} (${one.reason})`);
  });
  await each(confirmations, async (one) => {
    let holds = one.updates.length > 0;
    for (const { request, answer } of one.updates) {
      const verdict = await verify.verifyConfirmation(descriptor, { confirmation: one.confirmation, answer, update: request, ...at });
      holds &&= verdict.ok;
    }
    assert.equal(holds, one.valid, one.reason);
  });
});

test('reads.json', () => {
  const { server, client, cases } = vectors('reads');
  return each(cases, async (one) => {
    const verdict = await verify.verifyAnswer(descriptor, {
      answer: one.answer, read: one.read, server: Number(server), client: hex(one.client ?? client), certificates: one.held,
    });
    assert.equal(verdict.ok, one.valid, `${verdict.reason} (${one.reason})`);
    if (!one.valid) return;
    if (one.result !== undefined) assert.deepEqual(verdict.value, itemOf(one.result));
    if (one.next !== undefined) assert.equal(verdict.elements.next && toHex(verdict.elements.next), one.next);
  });
});

test('proof-files.json', () => each(vectors('proof-files').cases, async (one) => {
  const verdict = await verify.verifyValueProof(descriptor, one.file);
  assert.equal(verdict.ok, one.valid, `${verdict.reason} (${one.reason})`);
  if (one.valid) assert.deepEqual(verdict.value, itemOf(one.result));
}));

test('tags.json', async () => {
  const found = vectors('tags');
  const key = await sessionKey(hex(found.sharePrivateKey));
  assert.equal(toHex(key.share), found.share);
  const session = verify.decode(signed(m.OpenSession), hex(found.openSession)).value;
  const request = verify.decode(signed(m.Request), hex(found.request)).value;
  assert.equal(toHex(sha256(session.payload)), found.openSessionIdentity);
  const tags = [];
  for (const one of found.servers) {
    const shared = await key.withServer(hex(one.agreementKey), descriptor.id, sha256(session.payload), Number(one.server));
    assert.equal(toHex(shared), one.key);
    tags.push(toHex(await tagOf(shared, request)));
    assert.equal(tags.at(-1), one.tag);
  }
  assert.equal(tags.join(''), found.tags);
  assert.equal(toHex(encode(m.TaggedRequest, { request, tags: hex(found.tags) })), found.taggedRequest);
  for (const one of found.noKey) {
    assert.equal(await key.withServer(hex(one.share), descriptor.id, sha256(session.payload), 0), null, one.name);
  }
  assert.equal(toHex(await tagOf(null, request)), '00'.repeat(16));
});

test('evidence.json', () => each(vectors('evidence').cases, async (one) => {
  const verdict = await verify.verifyEvidence(descriptor, one.evidence);
  assert.equal(verdict.finding, one.finding.replace(' ', '-'), `${verdict.reason} (${one.reason})`);
  assert.equal(verdict.ok, one.finding === 'guilty');
  if (verdict.id !== null) assert.equal(verdict.id, one.identity ?? verdict.id);
  if (one.accused?.server !== undefined) assert.equal(verdict.accused.index, Number(one.accused.server));
  if (one.accused?.client !== undefined) assert.equal(verdict.accused.id, one.accused.client);
}));


test('snapshots.json', () => each(vectors('snapshots').cases, async (one) => {
  const verdict = await verify.verifySnapshot(descriptor, one);
  assert.equal(verdict.ok, one.valid, `${verdict.reason} (${one.reason})`);
  if (!one.valid) return;
  assert.deepEqual(verdict.objects.find(({ key }) => key === 'c'), { key: 'c', type: 'pn-counter', state: 5n });
  assert.equal(verdict.clients, 1);
  if (verdict.number > 1n) assert.equal(verdict.objects.find(({ key }) => key === 's').elements.length, 20);
  const other = await verify.verifySnapshot(descriptor, { ...one, chunks: [...one.chunks].reverse() });
  assert.equal(other.ok, true, 'in any order');
}));

test('a value that stands in as many arrays as may be has a leaf', () => {
  let value = 0n;
  for (let i = 0; i < 8; i++) value = [value];
  const items = `840161636a706e2d636f756e746572${'81'.repeat(8)}00`;
  assert.deepEqual(state.objectLeaf('c', 'pn-counter', value), tagged('aspas/v1/object-leaf', hex(items)));
});

test('contents of a chunk come by ascending paths', async () => {
  const { head, chunks: [chunk] } = vectors('snapshots').cases.find(({ name }) => name === 'in one chunk');
  const { value } = verify.decode(SnapshotChunk, hex(chunk));
  const verdict = async (contents) => verify.verifySnapshot(descriptor, { head, chunks: [encode(SnapshotChunk, { ...value, contents })] });
  assert.equal((await verdict(value.contents)).ok, true);
  assert.equal((await verdict([...value.contents].reverse())).ok, false);
});

test('a snapshot with a byte changed is none', async () => {
  const { head, chunks: [chunk] } = vectors('snapshots').cases.find(({ name }) => name === 'in one chunk');
  for (let at = 0; at < (head.length + chunk.length) / 2; at += 5) {
    const bytes = [hex(head), hex(chunk)];
    const inHead = at < bytes[0].length;
    bytes[inHead ? 0 : 1][inHead ? at : at - bytes[0].length] ^= 1 << (at % 8);
    assert.equal((await verify.verifySnapshot(descriptor, { head: bytes[0], chunks: [bytes[1]] })).ok, false, `byte ${at}`);
  }
});

test('attacks.json: attackers of every provable role, convicted in runs of the real servers', async () => {
  const { descriptor: parts, cases } = vectors('attacks');
  const { descriptor: attacked } = await verify.loadDescriptor(parts.text, parts.signatureFile, parts.operatorKey);
  assert.equal(attacked.idHex, parts.deploymentId);
  const kinds = new Set();
  for (const one of cases) {
    const verdict = await verify.verifyEvidence(attacked, one.evidence);
    assert.equal(verdict.finding, one.finding.replace(' ', '-'), `${one.role}: ${verdict.reason}`);
    assert.equal(verdict.id, one.identity);
    if (one.accused.server === undefined) assert.equal(verdict.accused.id, one.accused.client);
    else assert.equal(verdict.accused.index, Number(one.accused.server));
    kinds.add(verdict.kind);
    if (one.verdict !== undefined) {
      const whole = await verify.verifyEvidence(attacked, one.verdict);
      assert.deepEqual([whole.finding, whole.id], ['guilty', one.identity], `${one.role}: ${whole.reason}`);
    }
    for (const { at, finding } of one.changed) {
      const bytes = hex(one.evidence);
      bytes[Number(at)] ^= 1;
      const changed = await verify.verifyEvidence(attacked, bytes);
      assert.equal(changed.ok, false, `${one.role}, byte ${at}`);
      assert.equal(changed.finding, finding === 'malformed' ? 'unfounded' : finding, `${one.role}, byte ${at}: ${changed.reason}`);
    }
    assert.equal((await verify.verifyEvidence(descriptor, one.evidence)).finding, 'unfounded', 'in another deployment it proves nothing');
  }
  assert.deepEqual([...kinds].sort(), Object.keys(verify.MISDEEDS).sort(), 'every kind of evidence');
});
