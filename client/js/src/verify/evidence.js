/** Evidence of every kind that proves somebody faulty (docs/formats.md §10, "To verify evidence"). */
import { asBytes, equal, toHex } from './bytes.js';
import { certificateDigest, verifyDecodedCertificate } from './certificate.js';
import { sha256 } from './hash.js';
import { namesLater as responseNamesLater, wrongAnswerTo } from './answer.js';
import { entryLeaf, verifyInclusion } from './log.js';
import { Blacklist, Entry, Evidence, Verdict } from './messages.js';
import { decode, isLater, kindOf, NOBODY, signed } from './schema.js';
import { Trail, short } from './trail.js';
import { showText } from './values.js';

const digits = (hash) => short(toHex(hash));

/** What a kind accuses of, for people. */
export const MISDEEDS = {
  ForkedHeads: 'signed two different histories of the same length',
  ForkedEntries: 'put two different entries at one place of its log',
  BrokenEntry: 'put an entry into its log that no correct server puts there',
  AnswerAgainstLog: 'gave a signed answer that the certified log contradicts',
  AnswerAgainstHead: 'gave a signed answer that its own signed log contradicts',
  BadCertificate: 'named a certificate that does not verify',
  CertificateWentBack: 'named an older certificate after a newer one',
  WrongAnswer: 'answered with a value that others compute differently from the same logs',
  WrongState: 'signed a state that others compute differently from the same logs',
  ClientEquivocation: 'signed two different requests under one number',
};

/** Checks of one piece of evidence. Each returns whether the evidence holds; the trail has why. */
class Judge {
  constructor(descriptor, trail) {
    this.descriptor = descriptor;
    this.trail = trail;
  }

  async head(signedHead) {
    const { origin, size, root } = signedHead.message;
    return this.trail.check(await this.descriptor.appserverSigned(origin, 'head', signedHead),
      `Appserver ${origin} signed a head of its log: ${size} entries, root ${digits(root)}.`, `a head is not signed by appserver ${origin}`);
  }

  async response(signedResponse) {
    const { server, sequence } = signedResponse.message;
    return this.trail.check(await this.descriptor.appserverSigned(server, 'response', signedResponse),
      `Appserver ${server} signed answer ${sequence}.`, `an answer is not signed by appserver ${server}`);
  }

  async certificate(certificate) {
    return this.trail.add(await verifyDecodedCertificate(this.descriptor, certificate));
  }

  included(proof, leaf, size, root, text, reason) {
    return this.trail.check(proof.treeSize === size && verifyInclusion(proof, leaf, root),
      `${text}: ${proof.path.length} hashes lead to the root.`, reason);
  }

  async ForkedHeads({ one, other }) {
    const first = one.message;
    const second = other.message;
    return this.trail.check(first.origin === second.origin && first.size === second.size,
      `Both heads are of the log of appserver ${first.origin}, and have ${first.size} entries.`, 'the heads are not of one origin and size')
      && this.trail.check(!equal(first.root, second.root),
        `Their roots differ: ${digits(first.root)} and ${digits(second.root)}.`, 'the heads have one root')
      && (await this.head(one)) && (await this.head(other));
  }

  async ForkedEntries({ one, other }) {
    const { origin } = one.head.message;
    const place = one.proof.leafIndex;
    return this.trail.check(origin === other.head.message.origin && place === other.proof.leafIndex,
      `Both leaves are at place ${place + 1n} of the log of appserver ${origin}.`, 'the leaves are not at one place of one log')
      && this.trail.check(!equal(one.leaf, other.leaf), `The leaves differ: ${digits(one.leaf)} and ${digits(other.leaf)}.`, 'the leaves are the same')
      && (await this.branch(one)) && (await this.branch(other));
  }

  async branch({ head, leaf, proof }) {
    const { size, root } = head.message;
    return (await this.head(head))
      && this.included(proof, leaf, size, root, `The leaf ${digits(leaf)} is under this head`, 'a leaf is not proved under its head');
  }

  async BrokenEntry({ head, entry, before }) {
    const { origin, size, root } = head.message;
    const place = entry.proof.leafIndex;
    if (!(await this.head(head))) return false;
    if (!this.included(entry.proof, entryLeaf(entry.entry), size, root, `The entry is at place ${place + 1n} of this log`,
      'the entry is not proved at its place under the head')) return false;
    if (before !== null && !(this.trail.check(before.proof.leafIndex === place - 1n, 'The other entry stands right before it.',
      'the entries do not follow each other')
      && this.included(before.proof, entryLeaf(before.entry), size, root, `The entry before is at place ${place}`,
        'the entry before is not proved at its place under the head'))) return false;
    const broken = await this.brokenRule(entry.entry, { origin, sequence: place + 1n }, before);
    return this.trail.check(broken !== null, `No correct server has this entry there: ${broken}.`, 'the entry breaks no rule');
  }

  /** Which rule for entries of a correct origin an entry breaks, or null. */
  async brokenRule(bytes, place, before) {
    const decoded = decode(Entry, bytes);
    if (!decoded.ok) return `its bytes are no entry (${decoded.reason})`;
    const { dot, dependencies, body } = decoded.value;
    const servers = this.descriptor.appservers.length;
    if (dot.origin !== place.origin || dot.sequence !== place.sequence) return `it calls itself ${dot.origin}:${dot.sequence}`;
    if (dependencies.length !== servers) return `its dependencies have ${dependencies.length} components`;
    if (dependencies[place.origin] !== place.sequence - 1n) return 'it does not depend on exactly the entries before it';
    const least = before === null ? null : decode(Entry, before.entry);
    if (least?.ok && least.value.dependencies.length === servers
      && least.value.dependencies.some((component, i) => dependencies[i] < component)) return 'it depends on less than the entry before it';
    const { client, kind } = body.message;
    if (!this.descriptor.admits(client)) return 'its client is not admitted';
    const right = await this.descriptor.verify(client.subarray(0, 32), kindOf(kind).domain, body.payload, body.signature);
    return right ? null : 'its client did not sign it';
  }

  async AnswerAgainstLog({ response, certificate, leaf, proof }) {
    const { content } = certificate;
    return this.contradicted(response, leaf, async ({ dot }) => (await this.certificate(certificate))
      && this.trail.check(proof.leafIndex === dot.sequence - 1n, 'The proof is of this place.', 'the proof is of another place')
      && this.included(proof, leaf, content.version[dot.origin], content.roots[dot.origin],
        `Certificate ${content.number} has the leaf ${digits(leaf)} there`, 'the leaf is not proved at this place of the certified log'));
  }

  async AnswerAgainstHead({ response, head, leaf, proof }) {
    return this.contradicted(response, leaf, async ({ dot }) =>
      this.trail.check(head.message.origin === dot.origin, 'The head is of the same log.', 'the head is of another log')
      && (await this.head(head))
      && this.trail.check(proof.leafIndex === dot.sequence - 1n, 'The proof is of this place.', 'the proof is of another place')
      && this.included(proof, leaf, head.message.size, head.message.root,
        `Under this head the leaf is ${digits(leaf)}`, 'the leaf is not proved at this place under the head'));
  }

  /** An answer that names another leaf than what is proved at its dot. */
  async contradicted(signedResponse, leaf, proved) {
    const { dot, server, leaf: named } = signedResponse.message;
    if (!this.trail.check(dot !== null && dot.origin === server, `The answer is about an entry of its server's own log.`,
      'the answer names no entry of its server')) return false;
    return (await this.response(signedResponse))
      && this.trail.check(!equal(named, leaf), `The answer says that entry ${dot.origin}:${dot.sequence} has the leaf ${digits(named)}.`, 'the answer names the proved leaf')
      && dot.origin < this.descriptor.appservers.length && proved(signedResponse.message);
  }

  async BadCertificate({ response, certificate }) {
    const { certificateDigest: named, certificate: number } = response.message;
    if (!this.trail.check(equal(named, certificateDigest(certificate)), `The answer names the certificate with the digest ${digits(named)}.`,
      'the answer names another certificate')) return false;
    const verdict = await verifyDecodedCertificate(this.descriptor, certificate);
    const wrong = verdict.ok ? `it has number ${certificate.content.number}, and the answer says ${number}` : verdict.reason;
    return this.trail.check(!verdict.ok || certificate.content.number !== number, `That certificate is bad: ${wrong}.`, 'the certificate verifies')
      && this.response(response);
  }

  async CertificateWentBack({ earlier, later }) {
    const first = earlier.message;
    const second = later.message;
    return this.trail.check(first.server === second.server && equal(first.client, second.client) && !equal(first.client, NOBODY),
      'Both answers are of one server to one client.', 'the answers are not of one server to one client')
      && this.trail.check(second.sequence > first.sequence && second.certificate < first.certificate,
        `Answer ${first.sequence} names certificate ${first.certificate}; the later answer ${second.sequence} names ${second.certificate}.`,
        'the later answer does not name a lower certificate')
      && (await this.response(earlier)) && this.response(later);
  }

  async ClientEquivocation({ one, other }) {
    const first = one.message;
    const second = other.message;
    const request = async (words) => this.trail.check(
      await this.descriptor.verify(words.message.client.subarray(0, 32), 'request', words.payload, words.signature),
      `The client signed request ${words.message.number}: ${showText(words.message.operation.name)} on ${showText(words.message.key)}.`,
      'a request is not signed by the client');
    return this.trail.check(equal(first.client, second.client) && first.number === second.number,
      `Both requests are of one client, and have the number ${first.number}.`, 'the requests are not of one client and number')
      && this.trail.check(!equal(one.payload, other.payload), 'The requests differ.', 'the requests are the same')
      && (await request(one)) && request(other);
  }

  /** At least f+1 servers besides the accused, each once, each in its place. */
  enough(signedOnes, accused, what) {
    const servers = signedOnes.map((one) => one.message.server);
    return this.trail.check(servers.length > this.descriptor.f && !servers.includes(accused)
      && servers.every((server, i) => i === 0 || server > servers[i - 1]),
    `There are ${what} of ${servers.length} other servers; f+1 = ${this.descriptor.f + 1} are needed, so one of them is correct.`,
    `fewer than f+1 other servers, or the accused among them`);
  }

  async WrongState({ stable, others }) {
    const accused = stable.message;
    const same = (other) => other.epoch === accused.epoch && other.round === accused.round && equal(other.previous, accused.previous)
      && sameNumbers(other.version, accused.version) && sameHashes(other.roots, accused.roots)
      && sameNumbers(other.closed, accused.closed) && sameHashes(other.closedRoots, accused.closedRoots);
    if (!this.enough(others, accused.server, 'statements')) return false;
    const { state } = others[0].message;
    return this.trail.check(others.every((one) => same(one.message)), 'All of them are of the same logs, question and certificate before.',
      'the statement of another server is about something else')
      && this.trail.check(others.every((one) => equal(one.message.state, state)), `The others have the state root ${digits(state)}.`,
        'the others do not agree on a state')
      && this.trail.check(!equal(state, accused.state), `Appserver ${accused.server} has ${digits(accused.state)}.`, 'the states are equal')
      && (await this.statements([stable, ...others], 'stable'));
  }

  async WrongAnswer({ response, question, replies }) {
    const { message } = response;
    if (!(await this.response(response))) return false;
    const wrong = wrongAnswerTo(message, question);
    return this.trail.check(wrong === null, 'It is the answer to the question in the evidence.', wrong)
      && this.enough(replies, message.server, 'replies')
      && this.trail.check(replies.every((one) => one.message.outcome === 1 && equal(one.message.answer, sha256(response.payload))
        && equal(one.message.roots, message.roots)), 'Each says that the same logs give another value.', 'a reply says something else')
      && this.statements(replies, 'inspectreply');
  }

  async statements(signedOnes, domain) {
    for (const one of signedOnes) {
      const { server } = one.message;
      if (!this.trail.check(await this.descriptor.appserverSigned(server, domain, one), `Appserver ${server} signed its statement.`,
        `a statement is not signed by appserver ${server}`)) return false;
    }
    return true;
  }
}

const sameNumbers = (one, other) => one.length === other.length && one.every((number, i) => number === other[i]);
const sameHashes = (one, other) => one.length === other.length && one.every((hash, i) => equal(hash, other[i]));

// ---- Incarnations that are not open (§4) ----

function heads({ name, one, other, head }) {
  if (name === 'ForkedHeads') return [one, other];
  if (name === 'ForkedEntries') return [one.head, other.head];
  return name === 'BrokenEntry' || name === 'AnswerAgainstHead' ? [head] : [];
}

function responses({ name, response, earlier, later }) {
  if (name === 'CertificateWentBack') return [earlier, later];
  return ['AnswerAgainstLog', 'AnswerAgainstHead', 'BadCertificate', 'WrongAnswer'].includes(name) ? [response] : [];
}

function versions({ name, certificate, stable }) {
  if (name === 'AnswerAgainstLog' || name === 'BadCertificate') return [certificate.content.version];
  return name === 'WrongState' ? [stable.message.version, stable.message.closed] : [];
}

function entriesNameLater({ name, head, entry, before }) {
  if (name !== 'BrokenEntry') return false;
  const { origin } = head.message;
  return [entry, before].filter((one) => one !== null).map((one) => decode(Entry, one.entry)).some((decoded) => decoded.ok
    && (isLater(decoded.value.dot.sequence)
      || (origin < decoded.value.dependencies.length && isLater(decoded.value.dependencies[origin]))));
}

function namesLater(evidence) {
  return heads(evidence).some((one) => isLater(one.message.size)) || responses(evidence).some((one) => responseNamesLater(one.message))
    || versions(evidence).some((version) => version.some(isLater)) || entriesNameLater(evidence);
}

async function accusedSigned(descriptor, evidence) {
  for (const one of heads(evidence)) if (!(await descriptor.appserverSigned(one.message.origin, 'head', one))) return false;
  for (const one of responses(evidence)) if (!(await descriptor.appserverSigned(one.message.server, 'response', one))) return false;
  return evidence.name !== 'WrongState' || descriptor.appserverSigned(evidence.stable.message.server, 'stable', evidence.stable);
}

// ---- Verdicts ----

/** Who a piece of evidence accuses: `{role: 'appserver', index}` or `{role: 'client', id, key}`. */
function accusedOf(evidence) {
  switch (evidence.name) {
    case 'ForkedHeads':
      return appserver(evidence.one.message.origin);
    case 'ForkedEntries':
      return appserver(evidence.one.head.message.origin);
    case 'BrokenEntry':
      return appserver(evidence.head.message.origin);
    case 'CertificateWentBack':
      return appserver(evidence.later.message.server);
    case 'WrongState':
      return appserver(evidence.stable.message.server);
    case 'ClientEquivocation': {
      const id = toHex(evidence.one.message.client);
      return { role: 'client', id, key: id.slice(0, 64) };
    }
    default:
      return appserver(evidence.response.message.server);
  }
}

const appserver = (index) => ({ role: 'appserver', index });

/** `appserver 2`, or `client 8a88e3dd7409…`. */
export function describeAccused(accused) {
  return accused.role === 'appserver' ? `appserver ${accused.index}` : `client ${short(accused.key)}`;
}

/**
 * Verifies a piece of evidence, or a whole verdict with the findings of servers, by the keys of the descriptor alone.
 *
 * @param bytes the encoded evidence (kind 50 to 59), or an encoded signed Verdict
 * @param options `findings`: encoded signed Blacklists. WrongAnswer is proof only with those of f+1 appservers
 * @returns a verdict: `ok` says that the accused is proved faulty; `finding` is `guilty`, `needs-replay` (well signed, and proof only
 *   with f+1 findings), `cannot-confirm` (it names an incarnation that is not open) or `unfounded`; `id` is the hash of the evidence
 */
export async function verifyEvidence(descriptor, bytes, { findings = [] } = {}) {
  const trail = new Trail();
  const opened = open(asBytes(bytes), findings);
  if (!opened.ok) {
    trail.fail(`this is no evidence: ${opened.reason}`);
    return trail.verdict({ kind: null, accused: null, misdeed: null, id: null, finding: 'unfounded' });
  }
  const { evidence, blacklists } = opened;
  const accused = accusedOf(evidence);
  const parts = { kind: evidence.name, accused, misdeed: MISDEEDS[evidence.name], id: toHex(sha256(evidence.encoded)) };
  trail.note(`These ${evidence.encoded.length} bytes say that ${describeAccused(accused)} ${parts.misdeed}.`);
  if (namesLater(evidence)) {
    const signedByAccused = await accusedSigned(descriptor, evidence);
    trail.fail(signedByAccused ? 'it names an incarnation of an appserver that is not open here'
      : 'it names an incarnation that is not open, and the accused did not sign it');
    return trail.verdict({ ...parts, finding: signedByAccused ? 'cannot-confirm' : 'unfounded' });
  }
  if (!(await new Judge(descriptor, trail)[evidence.name](evidence))) {
    if (trail.ok) trail.fail('it does not hold');
    return trail.verdict({ ...parts, finding: 'unfounded' });
  }
  if (evidence.name === 'WrongAnswer' && !(await recomputed(descriptor, trail, blacklists, parts.id))) {
    return trail.verdict({ ...parts, finding: 'needs-replay' });
  }
  return trail.verdict({ ...parts, finding: 'guilty' });
}

/** Evidence alone, or with the findings in a Verdict and beside it. */
function open(bytes, findings) {
  if (bytes === null) return { ok: false, reason: 'no bytes' };
  const beside = findings.map((one) => decode(signed(Blacklist), asBytes(one) ?? new Uint8Array(0)))
    .filter((decoded) => decoded.ok).map((decoded) => decoded.value);
  const alone = decode(Evidence, bytes);
  if (alone.ok) return { ok: true, evidence: alone.value, blacklists: beside };
  const verdict = decode(signed(Verdict), bytes);
  if (!verdict.ok) return alone;
  const { evidence, findings: within } = verdict.value.message;
  return { ok: true, evidence, blacklists: [...beside, ...within] };
}

/** Whether f+1 appservers recomputed the answer, and signed that its server is guilty. */
async function recomputed(descriptor, trail, blacklists, id) {
  const found = new Set();
  for (const one of blacklists) {
    const { server, evidence, finding } = one.message;
    if (finding === 0 && toHex(evidence) === id && (await descriptor.appserverSigned(server, 'blacklist', one))) found.add(server);
  }
  const needed = descriptor.f + 1;
  return trail.check(found.size >= needed, `Appservers ${[...found].sort((a, b) => a - b).join(', ')} recomputed the answer, and signed that it is wrong.`,
    `well signed, and proof only with the findings of ${needed} appservers that recomputed the answer; there are ${found.size}`);
}
