import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as verify from '../src/verify/index.js';
import { leafHash, sha256, ZERO } from '../src/verify/hash.js';
import { utf8 } from '../src/verify/bytes.js';
import { encode, signed } from '../src/verify/schema.js';
import { descriptor } from './support/example.js';
import * as s from './support/samples.js';
import { consistency, inclusion, logRoot } from './support/trees.js';

const { messages: m } = verify;

for (const [kind, bytes] of Object.entries(s.evidence)) {
  test(`evidence of kind ${kind} proves its accused`, async () => {
    const verdict = await verify.verifyEvidence(descriptor, bytes, { findings: s.findings });
    assert.ok(verdict.ok, verdict.reason);
    assert.equal(verdict.kind, kind);
    assert.equal(verdict.finding, 'guilty');
    assert.deepEqual(verdict.accused, kind === 'ClientEquivocation'
      ? { role: 'client', id: verify.toHex(s.client), key: verify.toHex(s.client.subarray(0, 32)) } : { role: 'appserver', index: 0 });
    assert.ok(verdict.steps.length >= 4 && verdict.steps.every((step) => step.ok && step.text.length > 0));
  });
}

test('a wrong answer is proof only with the findings of f+1 appservers', async () => {
  const alone = await verify.verifyEvidence(descriptor, s.evidence.WrongAnswer);
  assert.equal(alone.finding, 'needs-replay');
  assert.equal(alone.ok, false);
  const others = await verify.verifyEvidence(descriptor, s.evidence.WrongAnswer, { findings: s.unhelpfulFindings });
  assert.equal(others.finding, 'needs-replay');
  const whole = await verify.verifyEvidence(descriptor, s.signedVerdict);
  assert.ok(whole.ok, whole.reason);
});

test('an entry that breaks no rule, and entries that break each rule', async () => {
  const right = await verify.verifyEvidence(descriptor, await s.brokenEntry(s.entries[2]));
  assert.equal(right.reason, 'the entry breaks no rule');
  const words = s.words[2];
  const broken = {
    'no entry': utf8('anything'),
    'another place': s.entryOf(0, 9, words),
    'another origin': s.entryOf(1, 3, words),
    'components missing': s.entryOf(0, 3, words, [2n, 0n, 0n]),
    'not the entries before': s.entryOf(0, 3, words, [1n, 0n, 0n, 0n]),
    'an unsigned request': s.entryOf(0, 3, { ...words, signature: new Uint8Array(64) }),
  };
  for (const [name, bytes] of Object.entries(broken)) {
    const verdict = await verify.verifyEvidence(descriptor, await s.brokenEntry(bytes));
    assert.equal(verdict.finding, 'guilty', `${name}: ${verdict.reason}`);
  }
  const before = s.entryOf(0, 2, s.words[1], [1n, 5n, 0n, 0n]);
  const falls = await verify.verifyEvidence(descriptor, await s.brokenEntry(s.entries[2], before));
  assert.equal(falls.finding, 'guilty');
});

test('what names an incarnation that is not open convicts nobody', async () => {
  const later = 1n << 40n;
  const one = await s.head(0, 0, ZERO);
  const heads = await Promise.all([ZERO, sha256(utf8('x'))].map((root) => s.head(0, later, root)));
  const verdict = await verify.verifyEvidence(descriptor, encode(m.ForkedHeads, { one: heads[0], other: heads[1] }));
  assert.equal(verdict.finding, 'cannot-confirm');
  const unsigned = encode(m.ForkedHeads, { one: heads[0], other: { ...heads[1], signature: one.signature } });
  assert.equal((await verify.verifyEvidence(descriptor, unsigned)).finding, 'unfounded');
  const entry = s.entryOf(0, later + 1n, s.words[2], [2n, 0n, 0n, 0n]);
  assert.equal((await verify.verifyEvidence(descriptor, await s.brokenEntry(entry))).finding, 'cannot-confirm');
});

for (const [name, sample] of Object.entries(s.reads)) {
  test(`a certified read and its file: ${name}`, async () => {
    const verdict = await verify.verifyAnswer(descriptor, { answer: sample.answer, read: sample.read, server: 0 });
    assert.ok(verdict.ok, verdict.reason);
    const file = await verify.verifyFile(descriptor, sample.file);
    assert.ok(file.ok, file.reason);
    assert.equal(file.what, 'value');
    assert.equal(file.number, 2n);
    assert.equal(verify.compareValues(file.value, verdict.value), 0);
  });
}

test('a page tells where the next one begins, and that one ends the set', async () => {
  const verdict = await verify.verifyValueProof(descriptor, s.reads.page.file);
  assert.equal(verdict.elements.size, 40n);
  assert.equal(verdict.elements.next[0], 0x80);
});

test('certificates follow each other', async () => {
  const bytes = s.certificates.map((one) => one.encoded);
  const chain = await verify.verifyChain(descriptor, bytes);
  assert.ok(chain.ok, chain.reason);
  assert.deepEqual(chain.numbers, [1n, 2n, 3n]);
  assert.equal((await verify.verifyChain(descriptor, [bytes[0], bytes[2]])).ok, false);
  assert.ok((await verify.verifyChain(descriptor, [bytes[0], bytes[2]], { gaps: true })).ok);
  assert.equal((await verify.verifyChain(descriptor, [bytes[2], bytes[1]], { gaps: true })).ok, false);
  const another = (changes) => s.certify({ ...s.content(3, sha256(s.certificates[1].payload), 4), ...changes });
  const breaks = [{ previous: ZERO }, { version: [3n, 0n, 0n, 0n] }, { roots: s.rootsAt(2) }];
  for (const changes of breaks) {
    assert.equal((await verify.verifyChain(descriptor, [bytes[1], (await another(changes)).encoded])).ok, false, Object.keys(changes)[0]);
  }
  const lifted = await s.certify({ ...s.content(4, sha256(s.certificates[2].payload), 4) });
  assert.match((await verify.verifyChain(descriptor, [bytes[2], lifted.encoded])).reason, /exclusion/);
});

test('a certificate needs 2b+1 signatures, its deployment and a content that fits', async () => {
  const refused = async (certificate, reason) => assert.match((await verify.verifyCertificate(descriptor, certificate.encoded)).reason, reason);
  await refused(await s.certify(s.content(1, ZERO, 2), [0, 1]), /2 signatures where 3/);
  await refused(await s.certify({ ...s.content(1, ZERO, 2), deployment: ZERO }), /another deployment/);
  await refused(await s.certify(s.content(1, sha256(utf8('x')), 2)), /names a previous/);
  await refused(await s.certify({ ...s.content(2, ZERO, 2), version: [1n], roots: [ZERO] }), /4 appservers/);
  await refused(await s.certify({ ...s.content(2, ZERO, 2), exclusions: [{ origin: 0, cut: 1n, evidence: ZERO }] }), /up to its cut/);
});

test('answers to updates, and their confirmation', async () => {
  const parts = { confirmation: s.confirmation, answer: s.update.answer, update: s.update.words, server: 0 };
  const verdict = await verify.verifyConfirmation(descriptor, parts);
  assert.ok(verdict.ok, verdict.reason);
  const refused = async (answer, update = s.update.words) => {
    const wrong = await verify.verifyAnswer(descriptor, { answer, update, server: 0 });
    assert.equal(wrong.ok, false);
    return wrong.reason;
  };
  assert.match(await refused(s.update.answer, encode(signed(m.Request), s.words[2])), /another request/);
  assert.match(await refused(s.answer(await s.updateResponse(2, { leaf: ZERO }))), /client's own words/);
  assert.match(await refused(s.answer(await s.updateResponse(2, { version: [3n, 0n, 0n, 0n] }))), /does not end the version/);
  assert.match(await refused(s.answer(await s.updateResponse(2, { server: 1 }))), /answer is of appserver 1/);
  assert.match(await refused(s.answer(await s.updateResponse(2, { version: [2n, 1n << 40n, 0n, 0n] }))), /incarnation/);
  assert.match(await refused(s.answer(await s.updateResponse(2), s.certificates[0])), /another certificate/);
  const other = await verify.verifyConfirmation(descriptor, { ...parts, confirmation: encode(m.Confirmation, {
    client: s.client, certificate: s.certificates[1], covered: [{ number: 1n, dot: { origin: 0, sequence: 2n }, proof: inclusion(s.leaves, 2) }] }) });
  assert.equal(other.ok, false);
});

test('inclusion and consistency of logs of 0 to 17 entries', () => {
  const leaves = Array.from({ length: 17 }, (_, i) => leafHash(Uint8Array.of(i)));
  for (let size = 0; size <= 17; size++) {
    const log = leaves.slice(0, size);
    for (let i = 0; i < size; i++) {
      const proof = inclusion(log, i);
      assert.ok(verify.verifyInclusion(proof, log[i], logRoot(log)));
      if (size > 1) assert.ok(!verify.verifyInclusion({ ...proof, leafIndex: proof.leafIndex ^ 1n }, log[i], logRoot(log)));
      assert.ok(!verify.verifyInclusion({ ...proof, path: [...proof.path, ZERO] }, log[i], logRoot(log)));
    }
    for (let old = 0; old <= size; old++) {
      const proof = consistency(log, old);
      assert.ok(verify.verifyConsistency(proof, logRoot(log.slice(0, old)), logRoot(log)), `${old} of ${size}`);
      assert.ok(!verify.verifyConsistency(proof, ZERO, logRoot(log)), `${old} of ${size}, another old root`);
      // The empty log begins every log, so that its proof says nothing of the new root.
      if (old > 0) assert.ok(!verify.verifyConsistency(proof, logRoot(log.slice(0, old)), ZERO), `${old} of ${size}, another new root`);
    }
  }
});
