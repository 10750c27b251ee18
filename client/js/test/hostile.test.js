/**
 * What strangers may bring: each sample with every byte flipped, and 20,000 changed ones. What is accepted nevertheless has to be true, by
 * what the samples were made of and not by the verifier's word.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as verify from '../src/verify/index.js';
import { signed } from '../src/verify/schema.js';
import { descriptor, signedPayloads } from './support/example.js';
import * as s from './support/samples.js';
import { Mutator } from './support/mutate.js';

const { messages: m, toHex } = verify;
const INPUTS = Number(process.env.ASPAS_MUTATIONS ?? 20000);
const SEED = Number(process.env.ASPAS_SEED ?? 16);
const clientHex = toHex(s.client);

/** The payload of every signed message and certificate in something decoded. */
function payloads(item) {
  if (item === null || typeof item !== 'object' || item instanceof Uint8Array) return [];
  const own = item.payload instanceof Uint8Array ? [toHex(item.payload)] : [];
  return [...own, ...Object.values(item).flatMap(payloads)];
}

const allSigned = (decoded) => payloads(decoded).every((payload) => signedPayloads.has(payload));

function decodeFirst(bytes, ...types) {
  const found = types.map((type) => verify.decode(type, bytes)).find((one) => one.ok);
  return found.value;
}

/** What is true of evidence: appserver 0 and the client are the liars, and they signed what they are accused by. */
function trueEvidence(verdict, bytes) {
  const { accused } = verdict;
  assert.ok(accused.role === 'client' ? accused.id === clientHex : accused.index === 0, JSON.stringify(accused));
  const decoded = decodeFirst(bytes, m.Evidence, signed(m.Verdict));
  assert.ok(allSigned(decoded.message ? decoded.message.evidence : decoded), 'it holds what nobody signed');
  // Of the findings in a Verdict f+1 have to be signed; the others count for nothing.
  if (decoded.message && verdict.kind === 'WrongAnswer') assert.ok(decoded.message.findings.filter(allSigned).length >= 2, 'too few findings');
}

function trueValue({ key, type, value, number }) {
  assert.equal(number, 2n);
  if (type === 'pn-counter') {
    assert.equal(value, key === 'c' ? 3n : /^k([12]?\d)$/.test(key) ? BigInt(key.slice(1)) : 0n, key);
  } else {
    assert.equal(type, 'aw-set');
    const members = key === 's' ? s.members : [];
    assert.ok(value.every((element) => members.some((one) => verify.compareValues(one, element) === 0)), verify.showValue(value));
  }
}

function trueAnswer(verdict, bytes) {
  const { message, payload } = verify.decode(m.Answer, bytes).value.response;
  assert.ok(signedPayloads.has(toHex(payload)), 'a response that nobody signed');
  assert.equal(message.server, 0);
}

const verifiers = {
  certificate: (bytes) => verify.verifyCertificate(descriptor, bytes),
  evidence: (bytes) => verify.verifyEvidence(descriptor, bytes, { findings: verify.decode(m.Evidence, bytes).ok ? s.findings : [] }),
  value: (bytes) => verify.verifyValueProof(descriptor, bytes),
  update: (bytes) => verify.verifyAnswer(descriptor, { answer: bytes, update: s.update.words, server: 0 }),
  confirmation: (bytes) => verify.verifyConfirmation(descriptor, { confirmation: bytes, answer: s.update.answer, update: s.update.words }),
};

const truths = {
  certificate: ({ signers }, bytes) => {
    assert.ok(allSigned(verify.decode(m.Certificate, bytes).value), 'a certificate that nobody signed');
    assert.ok(new Set(signers).size >= 3);
  },
  evidence: trueEvidence,
  value: trueValue,
  update: trueAnswer,
  confirmation: (verdict, bytes) => assert.ok(allSigned(verify.decode(m.Confirmation, bytes).value.certificate)),
};

const samples = [
  ...s.certificates.map((one, i) => ['certificate', `certificate ${i + 1}`, one.encoded]),
  ...Object.entries(s.evidence).map(([name, bytes]) => ['evidence', name, bytes]),
  ['evidence', 'Verdict', s.signedVerdict],
  ...Object.entries(s.reads).map(([name, one]) => ['value', name, one.file]),
  ['update', 'answer to an update', s.update.answer],
  ['confirmation', 'confirmation', s.confirmation],
];

/** The bytes of a value's proof that say who answered, and how the question was asked: nothing that it proves. */
const unsaid = new Set(['value']);

test('no sample with a byte flipped is accepted as something else', async (t) => {
  let flips = 0;
  for (const [what, name, bytes] of samples) {
    assert.ok((await verifiers[what](bytes)).ok, name);
    for (let at = 0; at < bytes.length; at++) {
      const flipped = bytes.slice();
      flipped[at] ^= 1 << (at % 8);
      const verdict = await verifiers[what](flipped);
      flips++;
      if (!verdict.ok) assert.ok(verdict.reason.length > 0);
      else if (unsaid.has(what)) truths[what](verdict, flipped);
      // A confirmation names its client, which the update's own words name, too; a Verdict its signer, who is not needed.
      else if (what === 'confirmation') truths[what](verdict, flipped);
      else if (name === 'Verdict') trueEvidence(verdict, flipped);
      else assert.fail(`${name} is accepted with byte ${at} flipped`);
    }
  }
  t.diagnostic(`${flips} flipped bytes in ${samples.length} samples`);
});

test(`${INPUTS} changed inputs, and what is accepted is true`, async (t) => {
  const stranger = await verify.signingKey(new Uint8Array(32).fill(0x99));
  const mutator = new Mutator(SEED, samples.map(([, , bytes]) => bytes), (payload) => stranger.sign(descriptor.signedText('response', payload)));
  const changed = [];
  for (let i = 0; i < INPUTS; i++) {
    const [what, name, bytes] = mutator.pick(samples);
    changed.push([what, name, await mutator.mutate(bytes)]);
  }
  let accepted = 0;
  const begin = performance.now();
  for (const [what, name, bytes] of changed) {
    const verdict = await verifiers[what](bytes);
    if (!verdict.ok) {
      assert.ok(typeof verdict.reason === 'string' && verdict.reason.length > 0, name);
      continue;
    }
    accepted++;
    truths[what](verdict, bytes);
  }
  const seconds = (performance.now() - begin) / 1000;
  t.diagnostic(`seed ${SEED}: ${INPUTS} inputs, 0 wrong acceptances, ${accepted} that say something true; `
    + `${Math.round(INPUTS / seconds)} verifications/s, by ${await verify.engineName()}`);
});

test('what is sound is verified at a rate', async (t) => {
  const rounds = 20;
  const begin = performance.now();
  for (let i = 0; i < rounds; i++) for (const [what, name, bytes] of samples) assert.ok((await verifiers[what](bytes)).ok, name);
  const seconds = (performance.now() - begin) / 1000;
  t.diagnostic(`${Math.round((rounds * samples.length) / seconds)} sound samples/s, by ${await verify.engineName()}`);
});
