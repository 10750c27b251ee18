/** Answers, confirmations and proofs of certified values (docs/formats.md §9, §10 and §20). */
import { asBytes, equal, toHex } from './bytes.js';
import { certificateDigest, verifyDecodedCertificate } from './certificate.js';
import { sha256 } from './hash.js';
import { entryLeaf, verifyInclusion } from './log.js';
import { Answer, Certificate, Confirmation, Entry, OpenSession, Read, Request, ValueProof } from './messages.js';
import { checkRead, elementsOf } from './read.js';
import { anyOf, decode, encode, isLater, NOBODY, signed } from './schema.js';
import { Trail, short } from './trail.js';
import { showText } from './values.js';

const SignedWords = signed(anyOf(() => [Request, OpenSession]));

function decoded(trail, type, input, what) {
  const bytes = asBytes(input);
  const result = bytes === null ? { ok: false, reason: 'no bytes' } : decode(type, bytes);
  if (!result.ok) trail.fail(`this is no ${what}: ${result.reason}`);
  return result.ok ? result.value : null;
}

/** The leaf of the entry that an answer to these signed words must have (§9, step 2), or null when the dot does not fit. */
function expectedLeaf(response, words) {
  const { dot, version } = response;
  if (dot === null || dot.origin >= version.length || version[dot.origin] !== dot.sequence) return null;
  const dependencies = version.slice();
  dependencies[dot.origin] = dot.sequence - 1n;
  return entryLeaf(encode(Entry, { dot, dependencies, body: words }));
}

/** What a Response says of the question that it answers, whoever signed it: null, or what is wrong. */
export function wrongAnswerTo(response, { update = null, read = null }) {
  if (update !== null) {
    const number = update.message.name === 'OpenSession' ? 0n : update.message.number;
    if (!equal(response.client, update.message.client) || response.reference !== number) return 'the answer is to another request';
    if (response.dot === null || response.dot.origin !== response.server) return 'the answer names no entry of its server';
    const leaf = expectedLeaf(response, update);
    if (leaf === null) return 'the dot does not end the version of the answer';
    return equal(leaf, response.leaf) ? null : 'the leaf is not that of the client\'s own words';
  }
  if (response.dot !== null || response.reference !== read.nonce) return 'the answer is to another read';
  return equal(response.leaf, sha256(read.encoded)) ? null : 'the leaf is not the hash of the read';
}

/** Whether a Response names an incarnation that is not open: a client takes no such answer. */
export function namesLater(response) {
  return (response.dot !== null && isLater(response.dot.sequence)) || response.version.some(isLater);
}

async function checkResponse(descriptor, trail, signedResponse, { server, client, question }) {
  const response = signedResponse.message;
  if (!trail.check(await descriptor.appserverSigned(response.server, 'response', signedResponse), `Appserver ${response.server} signed the answer.`,
    `the answer is not signed by appserver ${response.server}`)) return false;
  if (server !== undefined && !trail.check(response.server === server, `It is the appserver that was asked.`,
    `the answer is of appserver ${response.server}, asked was ${server}`)) return false;
  if (!trail.check(equal(response.client, client), 'It is for this client.', 'the answer is for another client')) return false;
  if (!trail.check(response.version.length === descriptor.appservers.length, `Its version has a component for each appserver.`,
    `the version has ${response.version.length} components`)) return false;
  if (!trail.check(!namesLater(response), 'It names no incarnation that is not open.', 'the answer names an incarnation that is not open')) return false;
  const wrong = wrongAnswerTo(response, question);
  return trail.check(wrong === null, question.update !== null
    ? `Its leaf ${short(toHex(response.leaf))} is the hash of the client's own words at entry ${response.dot?.origin}:${response.dot?.sequence}.`
    : 'Its leaf is the hash of the read that was asked.', wrong);
}

/** The certificate that came with an answer: the one that the answer names, and genuine. */
async function checkCertificate(trail, response, certificate, judge) {
  const digest = equal(response.certificateDigest, certificateDigest(certificate));
  const named = digest && response.certificate === certificate.content.number;
  const right = trail.check(named, `The certificate is the one that the answer names.`, 'the answer came with another certificate than it names')
    && trail.add(await judge(certificate));
  // Whoever signs an answer with the digest of a certificate that is not right has lied.
  return { right, bad: digest && !right };
}

/**
 * Verifies an answer to an update or a read.
 *
 * @param question `{answer, update | read, server?, client?, certificates?}`: the encoded Answer; the encoded signed Request (or
 *   OpenSession), or the encoded Read, that it answers; the index of the appserver that was asked; the client, of 48 bytes, for a read
 *   without a session nobody; encoded certificates that are held already
 * @returns a verdict with the `response`, the `value` (of a certified read: the proved one), the `certificate` that came or
 *   proved it, and for a set `elements`
 */
export async function verifyAnswer(descriptor, question) {
  const trail = new Trail();
  const nothing = { response: null, value: null, certificate: null, elements: null };
  if ((question.update === undefined) === (question.read === undefined)) throw new TypeError('a question is an update or a read');
  const answer = decoded(trail, Answer, question.answer, 'answer');
  const update = question.update === undefined ? null : decoded(trail, SignedWords, question.update, 'signed request');
  const read = question.read === undefined ? null : decoded(trail, Read, question.read, 'read');
  if (!trail.ok) return trail.verdict(nothing);
  return verifyDecodedAnswer(descriptor, answer, { ...question, update, read }, trail);
}

/** The same of an answer, a question and certificates that were decoded; `judge(certificate)` gives the verdict on one. */
export async function verifyDecodedAnswer(descriptor, answer, question, trail = new Trail()) {
  const response = answer.response.message;
  const parts = { response, value: null, certificate: null, elements: null, signed: false, badCertificate: false };
  const client = question.client ?? (question.update ? question.update.message.client : NOBODY);
  const right = await checkResponse(descriptor, trail, answer.response, { server: question.server, client, question });
  parts.signed = trail.steps[0]?.ok === true; // The signature is what is checked first.
  if (!right) return trail.verdict(parts);
  const judge = question.judge ?? ((certificate) => verifyDecodedCertificate(descriptor, certificate));
  if (answer.certificate !== null) parts.badCertificate = (await checkCertificate(trail, response, answer.certificate, judge)).bad;
  const certificate = await provingCertificate(trail, question, answer, judge);
  parts.certificate = certificate;
  if (trail.ok && question.read?.certified) {
    if (certificate === null || answer.proof === null) trail.fail('a certified value came without a certificate or a proof');
    else if (checkRead(trail, question.read, response.result, certificate, answer.proof)) parts.elements = elementsOf(question.read, answer.proof);
  }
  if (trail.ok) parts.value = response.result;
  return trail.verdict(parts);
}

/**
 * The certificate that an answer counts on: the one that came with it; of a page the one that its read names, for the server may have a
 * newer one by now; else of those that are held the one that the answer names.
 */
async function provingCertificate(trail, { read, certificates = [] }, answer, judge) {
  const wanted = read?.part?.certificate ?? 0n;
  const attached = answer.certificate;
  if (!read?.certified || (attached !== null && [0n, attached.content.number].includes(wanted))) return attached;
  const number = wanted === 0n ? answer.response.message.certificate : wanted;
  for (const held of certificates) {
    const certificate = held.content ? held : decoded(trail, Certificate, held, 'certificate');
    if (certificate !== null && certificate.content.number === number) {
      return trail.add(await judge(certificate)) ? certificate : null;
    }
  }
  return null;
}

/**
 * Verifies that a confirmation covers an update (§9, steps 3 to 6).
 *
 * @param parts `{confirmation, answer, update}`: the encoded Confirmation, the encoded Answer to the update, which is verified
 *   too, and the encoded signed Request
 * @returns a verdict with the `number` of the certificate
 */
export async function verifyConfirmation(descriptor, { confirmation, answer, update, server }) {
  const trail = new Trail();
  const message = decoded(trail, Confirmation, confirmation, 'confirmation');
  if (message === null) return trail.verdict({ number: null });
  const verdict = await verifyAnswer(descriptor, { answer, update, server });
  if (!trail.add(verdict)) return trail.verdict({ number: null });
  const { number } = message.certificate.content;
  if (!trail.add(await verifyDecodedCertificate(descriptor, message.certificate))) return trail.verdict({ number });
  const item = message.covered.find((one) => one.number === verdict.response.reference);
  const wrong = item === undefined ? 'the confirmation does not name the request' : wrongCovered(message.certificate, item, verdict.response);
  const hashes = item?.proof.path.length;
  trail.check(wrong === null, `The client's own entry is in the log that certificate ${number} covers: ${hashes} hashes lead to its root.`, wrong);
  return trail.verdict({ number });
}

/** What is wrong with one item of a confirmation, given a verified certificate and the verified answer; or null. */
export function wrongCovered(certificate, item, response) {
  const { dot, proof } = item;
  const { version, roots } = certificate.content;
  if (item.number !== response.reference || response.dot === null || dot.origin !== response.dot.origin || dot.sequence !== response.dot.sequence) {
    return 'the confirmation names another request or entry than the answer';
  }
  if (isLater(dot.sequence)) return 'the confirmation names an incarnation that is not open';
  // A certified version ends at the cut of an excluded origin, so the cut needs no check of its own (§8, step 2).
  const size = version[dot.origin];
  if (dot.sequence > size) return `the certificate covers ${size} entries of origin ${dot.origin}, not entry ${dot.sequence}`;
  const right = proof.treeSize === size && proof.leafIndex === dot.sequence - 1n && verifyInclusion(proof, response.leaf, roots[dot.origin]);
  return right ? null : 'the entry is not proved to be in the certified log';
}

/**
 * Verifies a file that proves a certified value (§20). Who answered does not matter, so the answer's signature is not verified.
 *
 * @returns a verdict with `key`, `type`, `value`, `number` of the certificate and `elements`
 */
export async function verifyValueProof(descriptor, bytes) {
  const trail = new Trail();
  const nothing = { key: null, type: null, value: null, number: null, elements: null, certificate: null };
  const file = decoded(trail, ValueProof, bytes, 'proof of a value');
  const read = file === null ? null : decoded(trail, Read, file.read, 'read');
  const answer = read === null ? null : decoded(trail, Answer, file.answer, 'answer');
  if (answer === null) return trail.verdict(nothing);
  const { certificate, proof } = answer;
  const about = { ...nothing, key: read.key, type: read.type };
  if (!trail.check(certificate !== null && proof !== null, `The file has a certificate and a proof of ${showText(read.key)}.`,
    'the file has no certificate, or no proof')) return trail.verdict(about);
  if (!trail.add(await verifyDecodedCertificate(descriptor, certificate))) return trail.verdict(about);
  const { result } = answer.response.message;
  if (!checkRead(trail, read, result, certificate, proof)) return trail.verdict(about);
  return trail.verdict({
    ...about, value: result, number: certificate.content.number, elements: elementsOf(read, proof), certificate,
  });
}

