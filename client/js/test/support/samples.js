/** One sample of everything that the verifier verifies, made in the deployment of the example. */
import { appserverKeys, bftserverKeys, clientKey, descriptor, line, sign, signedPayloads } from './example.js';
import { consistency, inclusion, logRoot, page, statePath, treeRoot } from './trees.js';
import { concat, toHex, utf8 } from '../../src/verify/bytes.js';
import { sha256, tagged, ZERO } from '../../src/verify/hash.js';
import { entryLeaf } from '../../src/verify/log.js';
import * as m from '../../src/verify/messages.js';
import { encode, NOBODY, signed } from '../../src/verify/schema.js';
import * as state from '../../src/verify/state.js';
import { encodeValue, Reader } from '../../src/verify/cbor.js';

export const client = line('client');

// ---- Signed words and the log of appserver 0 ----

export const request = (number, name, argument, key = 'c', type = 'pn-counter') => sign(m.Request,
  { client, number: BigInt(number), key, type, operation: { name, arguments: argument === undefined ? [] : [argument] } }, clientKey);

export const session = await sign(m.OpenSession, { client, number: 1n, tolerance: 8n }, clientKey);
export const words = [session, await request(1, 'increment', 5n), await request(2, 'decrement', 2n), await request(3, 'add', 'a', 's', 'aw-set')];
export const dependencies = (own) => [BigInt(own), 0n, 0n, 0n];
export const entryOf = (origin, sequence, body, deps = dependencies(sequence - 1)) =>
  encode(m.Entry, { dot: { origin, sequence: BigInt(sequence) }, dependencies: deps, body });
export const entries = words.map((body, i) => entryOf(0, i + 1, body));
export const leaves = entries.map(entryLeaf);
const empty = logRoot([]);
export const rootsAt = (size) => [logRoot(leaves.slice(0, size)), empty, empty, empty];
export const rootsDigest = (roots) => tagged('aspas/v1/log-roots', ...roots);
export const head = (origin, size, root) => sign(m.Head, { origin, size: BigInt(size), root }, appserverKeys[origin]);

// ---- The certified state: a counter, and a set of forty elements ----

export const members = [...Array.from({ length: 20 }, (_, i) => BigInt(i - 3)), ...Array.from({ length: 20 }, (_, i) => `e${i}`).sort()];
const shortState = state.shortForm([[0n, 4n]]);
export const memberLeaves = members.map((element) => ({ path: state.elementPath(element), value: state.elementLeaf(element, shortState), element }));
const memberRoot = treeRoot(memberLeaves);
export const objects = [
  { path: state.objectPath('c'), value: state.objectLeaf('c', 'pn-counter', 3n) },
  { path: state.objectPath('s'), value: state.collectionLeaf('s', 'aw-set', BigInt(members.length), memberRoot) },
  ...Array.from({ length: 30 }, (_, i) => ({ path: state.objectPath(`k${i}`), value: state.objectLeaf(`k${i}`, 'pn-counter', BigInt(i)) })),
];
export const stateRoot = treeRoot(objects);

// ---- Certificates ----

export async function certify(content, signers = [0, 1, 2]) {
  const payload = encode(m.CertificateContent, content);
  signedPayloads.add(toHex(payload));
  const signatures = [];
  for (const replica of signers) {
    signatures.push({ replica, signature: await bftserverKeys[replica].sign(descriptor.signedText('certificate', payload)) });
  }
  const certificate = { payload, content, signatures };
  return { ...certificate, encoded: encode(m.Certificate, certificate) };
}

export const content = (number, previous, size, root = stateRoot) => ({
  deployment: descriptor.id, number: BigInt(number), previous, version: [BigInt(size), 0n, 0n, 0n], roots: rootsAt(size), state: root, exclusions: [],
});
const first = await certify(content(1, ZERO, 2, treeRoot([objects[0]])));
const second = await certify(content(2, sha256(first.payload), 4));
const third = await certify({ ...content(3, sha256(second.payload), 4), exclusions: [{ origin: 1, cut: 0n, evidence: sha256(utf8('why')) }] }, [0, 1, 3]);
export const certificates = [first, second, third];

// ---- Answers ----

export const response = (changes, server = changes.server ?? 0) => sign(m.Response, {
  server, sequence: 9n, client, reference: 1n, result: [], dot: null, leaf: ZERO, version: [4n, 0n, 0n, 0n], roots: rootsDigest(rootsAt(4)),
  certificate: 2n, certificateDigest: sha256(second.encoded), ...changes,
}, appserverKeys[server]);

/** The answer to the update at a place of the log, from 1. */
export const updateResponse = (place, changes = {}) => response({
  reference: BigInt(place - 1), dot: { origin: 0, sequence: BigInt(place) }, leaf: leaves[place - 1], version: dependencies(place),
  roots: rootsDigest(rootsAt(place)), ...changes,
});
export const answer = (signedResponse, certificate = null, proof = null) =>
  encode(m.Answer, { response: signedResponse, certificate, proof });

export const read = (changes) => {
  const message = { nonce: 77n, key: 'c', type: 'pn-counter', certified: true, certificate: 1n, part: null, ...changes };
  return { ...message, encoded: encode(m.Read, message) };
};

/** A certified read with its answer. */
async function certifiedRead(changes, result, proof) {
  const asked = read(changes);
  const signedResponse = await response({ client: NOBODY, reference: asked.nonce, result, leaf: sha256(asked.encoded) });
  const answered = answer(signedResponse, second, proof);
  return { read: asked.encoded, answer: answered, file: encode(m.ValueProof, { layout: 1, read: asked.encoded, answer: answered }) };
}

const elementsProof = (found, proof) => ({
  type: 'aw-set', path: statePath(objects, state.objectPath('s')),
  elements: { size: BigInt(members.length), root: memberRoot, page: proof, states: found.map(() => shortState) },
});
const set = { key: 's', type: 'aw-set' };
const underOne = (path) => (path[0] & 0x80) === 0;
const firstPage = memberLeaves.filter((leaf) => underOne(leaf.path)).map((leaf) => leaf.element);
const pageBits = 1;

export const reads = {
  counter: await certifiedRead({}, 3n, { type: 'pn-counter', elements: null, path: statePath(objects, state.objectPath('c')) }),
  absent: await certifiedRead({ key: 'nothing' }, 0n, { type: null, elements: null, path: statePath(objects, state.objectPath('nothing')) }),
  absentSet: await certifiedRead({ key: 'none', type: 'aw-set' }, [], { type: null, elements: null, path: statePath(objects, state.objectPath('none')) }),
  set: await certifiedRead(set, members, elementsProof(members, page(memberLeaves, ZERO, 0))),
  element: await certifiedRead({ ...set, part: { element: 'e7', from: null, certificate: 0n } }, ['e7'],
    elementsProof(['e7'], page(memberLeaves, state.elementPath('e7'), 256))),
  noElement: await certifiedRead({ ...set, part: { element: 'zz', from: null, certificate: 0n } }, [],
    elementsProof([], page(memberLeaves, state.elementPath('zz'), 256))),
  page: await certifiedRead({ ...set, part: { element: null, from: ZERO, certificate: 0n } }, firstPage,
    elementsProof(firstPage, page(memberLeaves, ZERO, pageBits))),
};

export const update = { words: encode(signed(m.Request), words[1]), answer: answer(await updateResponse(2), second) };
export const confirmation = encode(m.Confirmation, {
  client, certificate: second, covered: [{ number: 1n, dot: { origin: 0, sequence: 2n }, proof: inclusion(leaves, 1) }],
});

// ---- Evidence ----

const otherLog = [leaves[0], sha256(utf8('another')), leaves[2], leaves[3]];
const honest = await head(0, 4, logRoot(leaves));
const forked = await head(0, 4, logRoot(otherLog));
const lying = await updateResponse(2, { leaf: sha256(utf8('a lie')) });
const badCertificate = await certify(content(2, sha256(first.payload), 4), [0, 1]);
const asked = read({ certified: false });
const wrong = await response({ reference: asked.nonce, result: 4n, leaf: sha256(asked.encoded) });
const differs = (server) => sign(m.InspectReply, {
  server, client, nonce: 5n, answer: sha256(wrong.payload), roots: wrong.message.roots, outcome: 1,
}, appserverKeys[server]);
const stable = (server, root) => sign(m.Stable, {
  server, epoch: 1n << 32n, round: 0n, previous: sha256(first.payload), version: [4n, 0n, 0n, 0n], roots: rootsAt(4), closed: [4n, 0n, 0n, 0n],
  closedRoots: rootsAt(4), state: root,
}, appserverKeys[server]);

/** Entries that no correct origin has: their bytes, by the rule that they break. */
const brokenSignature = { ...words[2], signature: words[1].signature };
const broken = entryOf(0, 3, brokenSignature);
const brokenLeaves = [leaves[0], leaves[1], entryLeaf(broken), leaves[3]];
const brokenHead = await head(0, 4, logRoot(brokenLeaves));

export async function brokenEntry(bytes, before = entries[1]) {
  const all = [leaves[0], entryLeaf(before), entryLeaf(bytes)];
  return encode(m.BrokenEntry, {
    kind: 52, head: await head(0, 3, logRoot(all)), entry: { entry: bytes, proof: inclusion(all, 2) },
    before: { entry: before, proof: inclusion(all, 1) },
  });
}

const wrongAnswer = encode(m.WrongAnswer, {
  response: wrong, question: { update: null, read: asked }, replies: [await differs(1), await differs(3)],
});
const blacklist = (server, finding = 0) => sign(m.Blacklist, { server, evidence: sha256(wrongAnswer), accused: { server: 0 }, finding }, appserverKeys[server]);
export const findings = [encode(signed(m.Blacklist), await blacklist(1)), encode(signed(m.Blacklist), await blacklist(3))];
export const unhelpfulFindings = [findings[0], encode(signed(m.Blacklist), await blacklist(3, 2)), findings[0]];
const verdict = await sign(m.Verdict, {
  server: 1, evidence: { ...parseEvidence(wrongAnswer) }, findings: [await blacklist(1), await blacklist(3)],
}, appserverKeys[1]);

function parseEvidence(bytes) {
  return m.Evidence.read(new Reader(bytes));
}

export const evidence = {
  ForkedHeads: encode(m.ForkedHeads, { one: honest, other: forked }),
  ForkedEntries: encode(m.ForkedEntries, {
    one: { head: honest, leaf: leaves[1], proof: inclusion(leaves, 1) },
    other: { head: forked, leaf: otherLog[1], proof: inclusion(otherLog, 1) },
  }),
  BrokenEntry: encode(m.BrokenEntry, {
    head: brokenHead, entry: { entry: broken, proof: inclusion(brokenLeaves, 2) }, before: { entry: entries[1], proof: inclusion(brokenLeaves, 1) },
  }),
  AnswerAgainstLog: encode(m.AnswerAgainstLog, { response: lying, certificate: second, leaf: leaves[1], proof: inclusion(leaves, 1) }),
  AnswerAgainstHead: encode(m.AnswerAgainstHead, { response: lying, head: honest, leaf: leaves[1], proof: inclusion(leaves, 1) }),
  BadCertificate: encode(m.BadCertificate, {
    response: await response({ certificateDigest: sha256(badCertificate.encoded) }), certificate: badCertificate,
  }),
  CertificateWentBack: encode(m.CertificateWentBack, {
    earlier: await response({ sequence: 9n, certificate: 2n }),
    later: await response({ sequence: 10n, certificate: 1n, certificateDigest: sha256(first.encoded) }),
  }),
  WrongAnswer: wrongAnswer,
  WrongState: encode(m.WrongState, { stable: await stable(0, sha256(utf8('wrong'))), others: [await stable(1, stateRoot), await stable(2, stateRoot)] }),
  ClientEquivocation: encode(m.ClientEquivocation, { one: words[1], other: await request(1, 'increment', 6n) }),
};
export const signedVerdict = encode(signed(m.Verdict), verdict);

export { concat, consistency, encodeValue, toHex };
