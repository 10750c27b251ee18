/**
 * Doubted and inspected answers, and complaints (docs/protocol.md §7 and §8). The other servers recompute an answer, or judge evidence. Only
 * evidence that stands is filed: what does not would count against this client.
 */
import { equal, toHex } from '../verify/bytes.js';
import { verifyEvidence } from '../verify/evidence.js';
import { sha256 } from '../verify/hash.js';
import { Blacklist, Complain, Evidence, Inspect, WrongAnswer } from '../verify/messages.js';
import { decode, encode, signed } from '../verify/schema.js';
import { ask } from './peers.js';

const MOST_TRIES = 6;
const PAUSE_MILLIS = 500;
const MOST_OPEN = 8;
const DIFFERS = 1;
const NOT_DELIVERED = 2;

export class Accusations {
  constructor(session) {
    this.session = session;
    this.open = new Set();
    this.stop = new AbortController();
  }

  end() {
    this.stop.abort();
  }

  pause(tries) {
    const { signal } = this.stop;
    return new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', over);
        resolve();
      };
      const timer = setTimeout(over, PAUSE_MILLIS * 2 ** tries);
      signal.addEventListener('abort', over);
    });
  }

  /** Asks an appserver, and gives its first signed reply of a kind for which `fits` says true; null for none. */
  async reply(node, frame, name, domain, fits) {
    const { descriptor, transport, options } = this.session;
    const reply = await ask(descriptor, node, frame, (one) => one.signed?.message.name === name && fits(one.signed.message),
      { millis: options.graceMillis, transport, signal: this.stop.signal });
    const right = reply !== null && reply.signed.message.server === node.index && (await descriptor.appserverSigned(node.index, domain, reply.signed));
    return right ? reply.signed : null;
  }

  others(accused) {
    return this.session.descriptor.appservers.filter(({ index }) => index !== accused && !this.session.excluded.has(index));
  }

  /** Begins something once, unless too much is open. */
  once(name, run) {
    if (this.open.has(name) || this.open.size >= MOST_OPEN || this.stop.signal.aborted) return;
    this.open.add(name);
    run().catch((error) => this.session.emit('error', error)).finally(() => this.open.delete(name));
  }

  /** Has the other servers recompute an answer; f+1 that compute another value make evidence. */
  inspect(response, question) {
    this.once(toHex(sha256(response.payload)), () => this.inspection(response, question));
  }

  async inspection(response, question) {
    const { descriptor, identity, emit } = this.session;
    const { server, roots } = response.message;
    const answer = sha256(response.payload);
    const nonce = identity.nonce();
    const words = await identity.sign(Inspect, { client: identity.client, nonce, response, question });
    const frame = encode(signed(Inspect), words);
    const replies = new Map();
    for (let tries = 0; tries < MOST_TRIES && !this.stop.signal.aborted; tries++) {
      const undecided = this.others(server).filter(({ index }) => (replies.get(index)?.message.outcome ?? NOT_DELIVERED) === NOT_DELIVERED);
      const said = await Promise.all(undecided.map((node) => this.reply(node, frame, 'InspectReply', 'inspectreply',
        (reply) => reply.nonce === nonce && equal(reply.answer, answer))));
      for (const one of said) if (one !== null) replies.set(one.message.server, one);
      const matching = [...replies.values()].filter(({ message }) => message.outcome === 0);
      const differing = [...replies.values()].filter(({ message }) => message.outcome === DIFFERS && equal(message.roots, roots));
      if (differing.length > descriptor.f) {
        const sorted = differing.sort((one, other) => one.message.server - other.message.server);
        emit('inspected', { server, right: false });
        this.complain(encode(WrongAnswer, { response, question, replies: sorted }));
        return;
      }
      if (matching.length > descriptor.f || undecided.length === 0) {
        emit('inspected', { server, right: matching.length > descriptor.f ? true : null });
        return;
      }
      await this.pause(tries);
    }
  }

  /** Brings evidence to all servers but the accused, until f+1 of them find it guilty. */
  complain(bytes) {
    this.once(toHex(sha256(bytes)), () => this.complaint(bytes));
  }

  async complaint(bytes) {
    const { descriptor, identity, emit } = this.session;
    const verdict = await verifyEvidence(descriptor, bytes);
    if (verdict.finding !== 'guilty' && verdict.finding !== 'needs-replay') return;
    const accused = verdict.accused.index;
    emit('evidence', { kind: verdict.kind, server: accused, evidence: bytes });
    const evidence = decode(Evidence, bytes).value;
    const words = await identity.sign(Complain, { client: identity.client, nonce: identity.nonce(), evidence });
    const frame = encode(signed(Complain), words);
    const guilty = new Map();
    for (let tries = 0; tries < MOST_TRIES && !this.stop.signal.aborted; tries++) {
      const undecided = this.others(accused).filter(({ index }) => !guilty.has(index));
      const said = await Promise.all(undecided.map((node) => this.reply(node, frame, 'Blacklist', 'blacklist',
        (finding) => toHex(finding.evidence) === verdict.id)));
      for (const one of said) if (one?.message.finding === 0 && one.message.accused.server === accused) guilty.set(one.message.server, one);
      if (guilty.size > descriptor.f) {
        const findings = [...guilty.values()].map((one) => encode(signed(Blacklist), one));
        emit('convicted', { server: accused, kind: verdict.kind, evidence: bytes, findings });
        this.session.convicted(accused);
        return;
      }
      await this.pause(tries);
    }
  }
}
