/** The messages of docs/formats.md §2 that a client sends, gets or judges. */
import { Malformed } from './cbor.js';
import {
  anyOf, ascending, bool, bstr, client, dot, hash, index, kindOf, kinds, list, message, MAX_ORIGINS, nat, optional, payloadOf, pos, share, sig,
  signed, text, tuple, upTo, value, version,
} from './schema.js';

const MAX_PATH = 64;
const MAX_BITS = 256;
const MAX_LIST = 1 << 16;
const MAX_UPDATES = 1024;

export const inclusion = tuple({ leafIndex: nat, treeSize: nat, path: list(hash, MAX_PATH) });
export const consistency = tuple({ oldSize: nat, newSize: nat, path: list(hash, MAX_PATH) });
const leaf = tuple({ path: hash, value: hash });
export const statePath = tuple({ siblings: list(hash, MAX_BITS), terminal: optional(leaf) });
export const page = tuple({ bits: upTo(MAX_BITS), siblings: list(hash, MAX_BITS), other: optional(leaf) });
const elements = tuple({ size: nat, root: hash, page, states: list(value) });
const proof = tuple({ type: optional(text), elements: optional(elements), path: statePath });
export const Operation = tuple({ name: text, arguments: { read: (r) => readArguments(r), write: (w, items) => w.value(items) } });
const part = tuple({ element: optional(value), from: optional(hash), certificate: nat }, (read) =>
  (read.element === null) === (read.from === null) || (read.element !== null && read.certificate !== 0n)
    ? 'a part is an element or a page' : null);
export const exclusion = tuple({ origin: index, cut: nat, evidence: hash });
const replicaSignature = tuple({ replica: index, signature: sig });

/** The list of arguments counts as one of the arrays around a value. */
function readArguments(r) {
  const items = [];
  for (let left = r.open(); left > 0; left--) items.push(r.value(1));
  return items;
}

export const Request = message(1, 'Request', { client, number: pos, key: text, type: text, operation: Operation },
  { domain: 'request', signer: 'client' });
export const OpenSession = message(2, 'OpenSession', { client, number: pos, tolerance: nat },
  { domain: 'session', signer: 'client', more: { share, home: index } });
const clientSigned = anyOf(() => [Request, OpenSession]);

export const Response = message(3, 'Response', {
  server: index, sequence: nat, client, reference: nat, result: value, dot: optional(dot), leaf: hash, version, roots: hash,
  certificate: nat, certificateDigest: hash,
}, { domain: 'response', signer: 'server' });

export const CertificateContent = message(35, 'CertificateContent', {
  deployment: hash, number: pos, previous: hash, version, roots: list(hash, MAX_ORIGINS), state: hash,
  exclusions: list(exclusion, MAX_ORIGINS),
}, { domain: 'certificate' });
export const Certificate = message(37, 'Certificate', {
  payload: bstr, signatures: ascending(replicaSignature, (one) => one.replica),
}, { check: payloadOf(CertificateContent) });

export const Answer = message(4, 'Answer', {
  response: signed(Response), certificate: optional(Certificate), proof: optional(proof),
});
export const Refusal = message(5, 'Refusal', { client, reference: nat, nonce: bool, reason: upTo(16), detail: text });
export const Read = message(6, 'Read', {
  nonce: nat, key: text, type: text, certified: bool, certificate: nat, part: optional(part),
});
export const Hello = message(7, 'Hello', { deployment: hash, server: index });
const covered = tuple({ number: pos, dot, proof: inclusion });
export const Confirmation = message(8, 'Confirmation', { client, certificate: Certificate, covered: list(covered, MAX_LIST) });
export const GetCertificate = message(9, 'GetCertificate', { number: nat });
export const CertificateReply = message(10, 'CertificateReply', { number: nat, certificate: optional(Certificate) });
const named = tuple({ number: pos, identity: hash });
const held = tuple({ number: pos, dot: optional(dot) });
export const AskStanding = message(11, 'AskStanding', { client, nonce: nat, named: list(named, MAX_UPDATES) },
  { domain: 'inquiry', signer: 'client' });
export const Standing = message(12, 'Standing', {
  server: index, client, nonce: nat, certificate: optional(Certificate), held: list(held, MAX_UPDATES),
}, { domain: 'standing', signer: 'server' });
const question = tuple({ update: optional(signed(Request)), read: optional(Read) }, (read) =>
  (read.update === null) === (read.read === null) ? 'a question is an update or a read' : null);
export const Inspect = message(13, 'Inspect', { client, nonce: nat, response: signed(Response), question },
  { domain: 'inquiry', signer: 'client' });
export const InspectReply = message(14, 'InspectReply', {
  server: index, client, nonce: nat, answer: hash, roots: hash, outcome: upTo(7),
}, { domain: 'inspectreply', signer: 'server' });
export const tags = {
  read(r) {
    const bytes = r.binary();
    if (bytes.length === 0 || bytes.length % 16 !== 0) throw new Malformed('tags have 16 bytes each');
    return bytes;
  },
  write: bstr.write,
};
export const TaggedRequest = message(15, 'TaggedRequest', { request: signed(Request), tags });

export const Head = message(20, 'Head', { origin: index, size: nat, root: hash }, { domain: 'head', signer: 'origin' });
export const Entry = message(21, 'Entry', { dot, dependencies: version, body: signed(clientSigned) });
export const Stable = message(32, 'Stable', {
  server: index, epoch: nat, round: nat, previous: hash, version, roots: list(hash, MAX_ORIGINS), closed: version,
  closedRoots: list(hash, MAX_ORIGINS), state: hash,
}, { domain: 'stable', signer: 'server' });

const branch = tuple({ head: signed(Head), leaf: hash, proof: inclusion });
export const included = tuple({ entry: bstr, proof: inclusion });
const byServer = (type) => ascending(signed(type), (one) => one.message.server);
export const ForkedHeads = message(50, 'ForkedHeads', { one: signed(Head), other: signed(Head) });
export const ForkedEntries = message(51, 'ForkedEntries', { one: branch, other: branch });
export const BrokenEntry = message(52, 'BrokenEntry', { head: signed(Head), entry: included, before: optional(included) });
export const AnswerAgainstLog = message(53, 'AnswerAgainstLog', {
  response: signed(Response), certificate: Certificate, leaf: hash, proof: inclusion,
});
export const AnswerAgainstHead = message(54, 'AnswerAgainstHead', {
  response: signed(Response), head: signed(Head), leaf: hash, proof: inclusion,
});
export const BadCertificate = message(55, 'BadCertificate', { response: signed(Response), certificate: Certificate });
export const CertificateWentBack = message(56, 'CertificateWentBack', { earlier: signed(Response), later: signed(Response) });
export const WrongAnswer = message(57, 'WrongAnswer', { response: signed(Response), question, replies: byServer(InspectReply) });
export const WrongState = message(58, 'WrongState', { stable: signed(Stable), others: byServer(Stable) });
export const ClientEquivocation = message(59, 'ClientEquivocation', { one: signed(Request), other: signed(Request) });

/** Any message of kind 50 to 59. */
export const Evidence = anyOf(() => kinds().filter((type) => type.number >= 50 && type.number <= 59));
const accused = {
  read: (r) => (r.atBinary() ? { client: client.read(r) } : { server: index.read(r) }),
  write: (w, item) => (item.client ? client.write(w, item.client) : index.write(w, item.server)),
};
export const Complain = message(60, 'Complain', { client, nonce: nat, evidence: Evidence },
  { domain: 'complaint', signer: 'client' });
export const Blacklist = message(61, 'Blacklist', { server: index, evidence: hash, accused, finding: upTo(2) },
  { domain: 'blacklist', signer: 'server' });
export const Verdict = message(62, 'Verdict', { server: index, evidence: Evidence, findings: byServer(Blacklist) },
  { domain: 'verdict', signer: 'server' });

/** A file that proves a certified value (§20). */
export const ValueProof = tuple({ layout: upTo(1), read: bstr, answer: bstr }, (read) =>
  read.layout === 1 ? null : 'another layout');

/** What a client gets in a frame: `{signed}` or `{message}`. */
export const Frame = {
  read(r) {
    const begin = r.at;
    const items = r.open();
    if (r.atBinary()) {
      r.at = begin;
      return { signed: signed(anyOf(() => kinds().filter((type) => type.domain !== null))).read(r) };
    }
    const type = kindOf(Number(r.integer()));
    if (!type || type.domain !== null) throw new Malformed('not a message of a known kind');
    return { message: type.body(r, begin, items) };
  },
};
