/**
 * When a client doubts its server: an update that stays unconfirmed, or certificates that have fallen behind those of others. Of an update: does the own server withhold the proof, did it never spread the update, or is the back end slow? The
 * others are asked (docs/protocol.md §6). Switching needs nobody's leave; blame needs proof.
 */
import { AskStanding, CertificateReply, GetCertificate } from '../verify/messages.js';
import { equal } from '../verify/bytes.js';
import { sha256 } from '../verify/hash.js';
import { encode, signed } from '../verify/schema.js';
import { ask } from './peers.js';

const MOST_PATIENCE = 8;
/** So many grace times lie between two comparisons of certificates. */
const COMPARISON_GRACES = 12;

export class Doubt {
  constructor(session) {
    this.session = session;
    this.patience = 1;
    this.nextQuestion = 0;
    this.pauses = 1;
    this.asking = false;
    this.comparing = false;
    this.turn = 0;
    this.calmComparison();
  }

  get grace() {
    return this.session.options.graceMillis * this.patience;
  }

  progress() {
    this.patience = 1;
    this.calm();
  }

  switched() {
    this.patience = Math.min(MOST_PATIENCE, 2 * this.patience);
    this.calm();
    this.calmComparison();
  }

  calm() {
    this.nextQuestion = 0;
    this.pauses = 1;
  }

  others() {
    const { descriptor, server } = this.session;
    return descriptor.appservers.filter((node) => node.index !== server);
  }

  question() {
    return { millis: this.session.options.graceMillis, transport: this.session.transport };
  }

  /** Asks f others for their newest certificate, so that with the own server's f+1 have been asked. */
  async askNewest() {
    const { session } = this;
    const frame = encode(GetCertificate, { number: 0n });
    const isReply = ({ message }) => message?.name === CertificateReply.name;
    const replies = this.others().map((node) => ask(session.descriptor, node, frame, isReply, this.question()));
    let said = 0;
    await new Promise((resolve) => {
      Promise.all(replies.map(async (reply) => {
        const certificate = (await reply)?.message.certificate;
        if (certificate) await session.run(() => session.certificates.verdict(certificate));
        if ((await reply) !== null && ++said >= session.descriptor.f) resolve();
      })).then(resolve);
    });
    return session.run(() => session.reads.nowFresh());
  }

  // ---- Certificates of others ----

  calmComparison() {
    this.nextComparison = performance.now() + COMPARISON_GRACES * this.session.options.graceMillis;
    this.newer = null;
    /** The newest certificate that the own server named since the last comparison began. */
    this.named = -1n;
  }

  /** An answer of the own server names its newest certificate. */
  names(number) {
    if (number > this.named) this.named = number;
  }

  /** The newest certificate that a server gives, not verified; null for none. */
  async newestAt(node) {
    const isReply = ({ message }) => message?.name === CertificateReply.name;
    const reply = await ask(this.session.descriptor, node, encode(GetCertificate, { number: 0n }), isReply, this.question());
    return reply?.message.certificate ?? null;
  }

  /**
   * A client that only reads has no update to tell it that its server's certificates have fallen behind: each certified value is genuine,
   * and old. So one that is at work asks another server now and then, a different one each time. A certificate proves itself; if it is newer, the
   * own server gets the grace time twice to name it.
   */
  compare() {
    const now = performance.now();
    if (this.comparing) return;
    if (this.newer === null && this.named >= 0n && now >= this.nextComparison) this.comparison(() => this.askAnother());
    else if (this.newer !== null && this.named >= this.newer.content.number) this.calmComparison();
    else if (this.newer !== null && now - this.newerSince >= 2 * this.session.options.graceMillis) this.comparison(() => this.judge());
  }

  comparison(step) {
    this.comparing = true;
    step().catch((error) => this.session.emit('error', error)).finally(() => { this.comparing = false; });
  }

  async askAnother() {
    const others = this.others();
    const { server } = this.session;
    this.calmComparison();
    const newer = await this.newestAt(others[this.turn++ % others.length]);
    if (newer === null || server !== this.session.server) return;
    this.newer = newer;
    this.newerSince = performance.now();
  }

  async judge() {
    const { session, newer } = this;
    const { server } = session;
    const own = await this.newestAt(session.descriptor.appservers[server]);
    await session.run(async () => {
      if (session.server !== server || newer !== this.newer) return;
      if (own !== null && (await session.certificates.verdict(own)).ok) this.names(own.content.number);
      const at = this.named;
      this.calmComparison();
      if (at >= 0n && at < newer.content.number && (await session.certificates.verdict(newer)).ok) {
        session.leave('stale', `appserver ${server} is at certificate ${at}, and another one has long had ${newer.content.number}`);
      }
    });
  }

  // ---- Updates ----

  tick() {
    this.compare();
    const update = this.session.window.oldestHeld();
    if (update === null || performance.now() - update.heldSince < this.grace) return;
    if (this.covered(update)) this.notProved(update);
    else if (!this.asking && performance.now() >= this.nextQuestion) {
      this.askStanding(update).catch((error) => this.session.emit('error', error)).finally(() => { this.asking = false; });
    }
  }

  covered(update) {
    const newest = this.session.certificates.newest;
    const answer = update.answers.get(this.session.server);
    return newest !== null && answer !== undefined && answer.message.dot.sequence <= newest.content.version[answer.message.dot.origin];
  }

  /** A certificate covers it: the proof may be on its way, and gets half the time. It begins for all such updates at once. */
  notProved(update) {
    const now = performance.now();
    if (!update.coveredSince) {
      for (const other of this.session.window.unconfirmed.values()) if (this.covered(other)) other.coveredSince ??= now;
    }
    if (now - update.coveredSince >= this.grace / 2) {
      this.show(update);
      this.session.leave('withheld', `a certificate covers request ${update.number}, and its proof does not come`);
    }
  }

  /** Whoever leaves shows the others the answer that it doubts: they know what to hold it against. */
  show(update) {
    const answer = update.answers.get(this.session.server);
    if (answer) this.session.accusations.inspect(answer, { update: update.words, read: null });
  }

  async askStanding(update) {
    const { session } = this;
    const { server } = session;
    this.asking = true;
    this.nextQuestion = performance.now() + this.pauses * session.options.graceMillis;
    this.pauses = Math.min(MOST_PATIENCE, 2 * this.pauses);
    const named = [{ number: update.number, identity: sha256(update.words.payload) }];
    const nonce = session.identity.nonce();
    const words = await session.identity.sign(AskStanding, { client: update.client, nonce, named });
    const frame = encode(signed(AskStanding), words);
    const wanted = (one) => one.signed?.message.name === 'Standing' && one.signed.message.nonce === nonce;
    const others = this.others();
    const replies = await Promise.all(others.map(async (node) => {
      const reply = await ask(session.descriptor, node, frame, wanted, this.question());
      const right = reply !== null && reply.signed.message.server === node.index && equal(reply.signed.message.client, update.client)
        && reply.signed.message.held.length === 1 && reply.signed.message.held[0].number === update.number
        && (await session.descriptor.appserverSigned(node.index, 'standing', reply.signed));
      return right ? reply.signed.message : null;
    }));
    this.asking = false;
    session.run(() => (session.server === server && session.window.unconfirmed.has(update.place) ? this.decide(update, others, replies) : undefined));
  }

  async decide(update, others, replies) {
    const { session } = this;
    const { f } = session.descriptor;
    const said = replies.filter((reply) => reply !== null);
    let certified = 0;
    for (const { certificate, held: [{ dot }] } of said) {
      if (certificate === null || !(await session.certificates.verdict(certificate)).ok) continue;
      if (dot !== null && dot.origin < session.descriptor.appservers.length && dot.sequence <= certificate.content.version[dot.origin]) certified++;
    }
    const lacking = said.filter(({ held: [{ dot }] }) => dot === null).length;
    const silent = others.length - said.length;
    if (this.covered(update) || certified > f) this.notProved(update);
    else if (lacking > f && said.length - lacking + silent < f) {
      this.show(update);
      session.leave('not-spread', `${lacking} servers do not hold request ${update.number}`);
    }
  }
}
