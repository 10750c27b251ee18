/**
 * The session with the present appserver: what is sent to it, what becomes of what it says, and when the client turns to another one. All
 * steps run one after the other, whatever they wait for.
 */
import { equal, toHex } from '../verify/bytes.js';
import { verifyDecodedAnswer } from '../verify/answer.js';
import * as m from '../verify/messages.js';
import { decode, encode, signed } from '../verify/schema.js';
import { Accusations } from './accusations.js';
import { VerifiedCertificates } from './certificates.js';
import { Doubt } from './doubt.js';
import { AspasError, REASONS } from './errors.js';
import { open as openConnection } from './transport.js';
import { Reads } from './reads.js';
import { Tagger } from './tags.js';
import { Window } from './window.js';

const TICK_MILLIS = 200;

export class Session {
  constructor({ descriptor, identity, options, emit }) {
    this.descriptor = descriptor;
    this.identity = identity;
    this.options = options;
    this.emit = emit;
    this.state = 'down';
    this.server = options.server;
    this.excluded = new Set();
    this.connection = null;
    this.attempt = 0;
    this.sessions = 0n;
    this.opening = [];
    /** The answer with the highest sequence on this connection, by the client that it addresses. */
    this.lastResponses = new Map();
    this.ended = null;
    this.failedAttempts = 0;
    /** Why the last connection to each server ended. */
    this.lastReasons = new Map();
    this.steps = Promise.resolve();
    this.certificates = new VerifiedCertificates(descriptor, (certificate) => this.advanced(certificate));
    this.window = new Window(this);
    this.reads = new Reads(this);
    this.doubt = new Doubt(this);
    this.accusations = new Accusations(this);
    this.tagger = new Tagger(descriptor);
    this.up = new Promise((resolve, reject) => Object.assign(this, { isUp: resolve, neverUp: reject }));
    this.up.catch(() => {});
  }

  /** Whether these 48 bytes are this client; an earlier start with its key is another one. */
  isOwn(client) {
    return equal(client, this.identity.client);
  }

  /** Takes over what a state has of earlier clients with the key. */
  async takeOver(state) {
    const { certificate, open } = (await state.load({ deployment: this.descriptor.id, key: this.identity.publicKey })) ?? {};
    const isWords = (one) => one?.message?.client instanceof Uint8Array && one.payload instanceof Uint8Array && one.signature instanceof Uint8Array;
    if (typeof certificate !== 'bigint' || certificate < 0n || !Array.isArray(open) || !open.every(isWords)) {
      await state.close();
      throw new AspasError('bad-argument', 'a state loads {certificate, open}: a BigInt, and the signed requests that were saved');
    }
    this.certificates.highest = certificate;
    this.window.inherit(open);
  }

  /** Runs a step when all before it are done. */
  run(step) {
    const done = this.steps.then(step);
    this.steps = done.catch((error) => this.emit('error', error));
    return done;
  }

  start() {
    this.timer = setInterval(() => this.run(() => this.tick()), TICK_MILLIS);
    this.run(() => this.connect());
    return this.up;
  }

  get transport() {
    const { open = openConnection, ca, webSocket } = this.options;
    return { open, ca, webSocket, maxFrame: this.descriptor.limits.linkFrameBytes };
  }

  // ---- Connections ----

  connect() {
    if (this.state === 'closed') return;
    const attempt = ++this.attempt;
    const mine = (step) => (attempt === this.attempt ? this.run(() => (attempt === this.attempt ? step() : undefined)) : undefined);
    this.state = 'greeting';
    this.since = performance.now();
    this.opening = [];
    this.lastResponses.clear();
    this.transport.open(this.descriptor.appservers[this.server], this.transport, {
      opened() {},
      frame: (bytes) => mine(() => this.frame(bytes)),
      closed: (reason) => mine(() => this.disconnected(reason)),
    }).then((connection) => {
      if (attempt === this.attempt) this.connection = connection;
      else connection.close();
    }, (error) => mine(() => this.disconnected(error.message)));
  }

  drop() {
    this.attempt++;
    this.connection?.close();
    this.connection = null;
    this.state = this.state === 'closed' ? 'closed' : 'down';
    this.tagger.disconnected();
    this.window.disconnected();
    this.reads.disconnected();
  }

  /** The connection went. The same server gets one more chance, then the next one has its turn. */
  disconnected(reason) {
    const wasUp = this.state === 'up';
    this.drop();
    this.emit('disconnected', { server: this.server, reason });
    this.failedAttempts = wasUp ? 0 : this.failedAttempts + 1;
    if (wasUp) this.connect();
    else this.leave('unreachable', reason);
  }

  /** Turns to another server, and gives it what is unconfirmed. */
  leave(why, detail) {
    if (this.state === 'closed') return;
    const servers = this.descriptor.appservers.length;
    const from = this.server;
    this.lastReasons.set(from, detail);
    this.drop();
    const others = Array.from({ length: servers - 1 }, (_, i) => (from + 1 + i) % servers).filter((server) => !this.excluded.has(server));
    const [to] = others;
    if (to === undefined) return this.end(new AspasError('unreachable', `no appserver is left: ${detail}`));
    this.server = to;
    this.switched = true;
    this.doubt.switched();
    this.emit('switched', { from, to, why, detail });
    // Whoever went around all servers in vain takes a rest.
    const pause = this.failedAttempts >= servers ? Math.min(5000, 250 * 2 ** (this.failedAttempts - servers)) : 0;
    const { attempt } = this;
    setTimeout(() => this.run(() => (attempt === this.attempt ? this.connect() : undefined)), pause);
    return undefined;
  }

  /** Why each server was left, for people. */
  failures() {
    const reasons = [...this.lastReasons].map(([server, reason]) => `appserver ${server}: ${reason}`);
    return reasons.length === 0 ? `appserver ${this.server} has not answered` : reasons.join('; ');
  }

  end(error) {
    if (this.state === 'closed') return;
    this.drop();
    this.state = 'closed';
    this.ended = error;
    this.accusations.end();
    clearInterval(this.timer);
    this.neverUp(error);
    this.window.end(error);
    this.reads.end(error);
    this.released = this.run(() => this.window.closeRecord()).catch(() => {});
    this.emit('closed', { reason: error.message, code: error.code });
  }

  send(bytes) {
    this.connection?.send(bytes);
  }

  // ---- Frames ----

  async frame(bytes) {
    const decoded = decode(m.Frame, bytes);
    if (!decoded.ok) return this.leave('not-verified', `bytes that are no frame: ${decoded.reason}`);
    const { message } = decoded.value;
    if (!message) return undefined;
    if (this.state === 'greeting') return this.greeted(message);
    switch (message.name) {
      case 'Answer':
        return this.answer(message);
      case 'Confirmation':
        return this.confirmation(message);
      case 'Refusal':
        return this.refusal(message);
      case 'CertificateReply':
        return this.certificateReply(message);
      default:
        return this.leave('not-verified', `a server sends no ${message.name} to a client`);
    }
  }

  greeted(hello) {
    if (hello.name !== 'Hello') return this.leave('not-verified', 'the server did not greet first');
    if (!equal(hello.deployment, this.descriptor.id) || hello.server !== this.server) {
      return this.leave('wrong-server', 'this is another server, or one of another deployment');
    }
    this.state = 'opening';
    return this.openSession();
  }

  async openSession() {
    const { server } = this;
    const key = await this.tagger.offer();
    const message = { client: this.identity.client, number: ++this.sessions, tolerance: this.window.tolerance };
    const words = await this.identity.sign(m.OpenSession, key === null ? message : { ...message, share: key.share, home: server });
    this.opening.push(words);
    this.tagger.sent(key, words);
    this.send(encode(signed(m.OpenSession), words));
  }

  async answer(answer) {
    const { message: response } = answer.response;
    if (response.dot === null) return this.reads.answered(answer);
    if (!this.isOwn(response.client) && !this.window.earlier.has(toHex(response.client))) {
      return this.leave('not-verified', 'an answer for another client');
    }
    const isSession = response.reference === 0n;
    const update = isSession ? null : this.window.get(response.client, response.reference);
    const words = isSession ? this.opening.shift() : update?.words;
    if (!words) return isSession ? this.leave('not-verified', 'an answer to a session that was never opened') : undefined;
    const verdict = await this.verified(answer, { update: words, read: null });
    if (!verdict.ok) return undefined;
    if (isSession) return this.opened(response);
    return this.window.answered(update, answer.response);
  }

  /** Verifies an answer, what it says of certificates, and their order. A client leaves a server whose answer is not right. */
  async verified(answer, question) {
    const client = question.update?.message.client ?? this.identity.client;
    const verdict = await verifyDecodedAnswer(this.descriptor, answer, {
      ...question, server: this.server, client, certificates: this.certificates.all(),
      judge: (certificate) => this.certificates.verdict(certificate),
    });
    if (!verdict.ok) {
      this.emit('not-verified', { server: this.server, reason: verdict.reason, steps: verdict.steps });
      if (verdict.badCertificate) this.accusations.complain(encode(m.BadCertificate, { response: answer.response, certificate: answer.certificate }));
      else if (verdict.signed) this.accusations.inspect(answer.response, question);
      this.leave('not-verified', verdict.reason);
      return verdict;
    }
    const { message } = answer.response;
    this.doubt.names(message.certificate);
    const whose = toHex(message.client);
    const before = this.lastResponses.get(whose) ?? null;
    if (before === null || message.sequence > before.message.sequence) {
      if (before !== null && message.certificate < before.message.certificate) return this.wentBack(before, answer.response);
      this.lastResponses.set(whose, answer.response);
      if (question.read || question.update.message.name === 'Request') this.sample(answer.response, question);
    } else if (message.certificate > before.message.certificate) return this.wentBack(answer.response, before);
    return verdict;
  }

  /** Inspects an answer if chance chooses it. */
  sample(response, question) {
    if (Math.random() < this.options.inspect) this.accusations.inspect(response, question);
  }

  wentBack(earlier, later) {
    const reason = `answer ${later.message.sequence} names certificate ${later.message.certificate}, an earlier one ${earlier.message.certificate}`;
    this.accusations.complain(encode(m.CertificateWentBack, { earlier, later }));
    this.leave('not-verified', reason);
    return { ok: false, reason };
  }

  /** An appserver is convicted by f+1 others: its client leaves without waiting for the certificate that excludes it. */
  convicted(server) {
    this.excluded.add(server);
    if (server === this.server) this.run(() => (server === this.server ? this.leave('convicted', `appserver ${server} is convicted`) : undefined));
  }

  opened(response) {
    this.tagger.opened();
    if (this.state === 'opening') this.state = 'catching-up';
    this.caughtUp(response.certificate);
  }

  /** A server is given work only when it holds what this client saw certified. */
  caughtUp(number) {
    if (this.state !== 'catching-up' || number < this.certificates.highest) return;
    this.state = 'up';
    this.failedAttempts = 0;
    this.emit('connected', { server: this.server });
    this.isUp();
    if (this.switched) this.window.resubmit();
    this.switched = false;
    this.reads.connected();
    this.window.connected();
    this.run(() => this.window.pump());
  }

  async confirmation({ client, certificate, covered }) {
    const verdict = await this.certificateVerdict(certificate);
    if (!verdict.ok) return undefined;
    for (const item of covered) {
      const update = this.window.get(client, item.number);
      const wrong = update ? this.window.covered(update, certificate, item) : null;
      if (wrong !== null) return this.leave('not-verified', wrong);
    }
    this.caughtUp(certificate.content.number);
    return this.window.pump();
  }

  async certificateVerdict(certificate) {
    const verdict = await this.certificates.verdict(certificate);
    if (verdict.fork) this.end(new AspasError('fork', `${verdict.reason}: more than b bftservers lie`));
    else if (!verdict.ok) {
      this.emit('not-verified', { server: this.server, reason: verdict.reason, steps: verdict.steps });
      this.leave('not-verified', verdict.reason);
    }
    return verdict;
  }

  async certificateReply({ number, certificate }) {
    if (certificate !== null && !(await this.certificateVerdict(certificate)).ok) return;
    if (certificate !== null) this.caughtUp(certificate.content.number);
    this.reads.certificate(number, certificate);
  }

  refusal({ client, reference, nonce, reason, detail }) {
    const name = REASONS[reason];
    if (nonce) return this.reads.refused(reference, name, detail);
    if (reference !== 0n) return this.window.refused(this.window.get(client, reference), name, detail);
    if (name === 'draining') return this.leave('draining', detail);
    const forGood = ['unknown-client', 'number-reused'].includes(name) && this.isOwn(client) && this.sessions === 1n;
    return forGood && this.options.stayOn !== true && this.descriptor.admitted.size > 0
      ? this.end(new AspasError('refused', `the server refuses this client: ${detail}`, { reason: name }))
      : this.leave('refused', `${name}: ${detail}`);
  }

  /** A newer certificate than all before was verified. */
  advanced(certificate) {
    this.emit('certificate', { number: certificate.content.number, certificate });
    for (const { origin, cut } of certificate.content.exclusions) {
      if (!this.excluded.has(origin)) this.emit('excluded', { server: origin, cut, certificate: certificate.content.number });
      this.excluded.add(origin);
      this.window.cut(origin, cut);
      if (origin === this.server) this.run(() => (origin === this.server ? this.leave('convicted', `appserver ${origin} is excluded`) : undefined));
    }
  }

  // ---- Time ----

  tick() {
    if (this.state === 'closed' || this.state === 'down') return undefined;
    const late = this.options.answerMillis;
    if (this.state !== 'up') {
      if (this.state === 'catching-up') this.send(encode(m.GetCertificate, { number: 0n }));
      if (performance.now() - this.since > late) {
        this.failedAttempts++;
        return this.leave('no-answer', 'no session in time');
      }
      return undefined;
    }
    const owed = Math.min(this.window.owedSince(), this.reads.owedSince());
    if (performance.now() - owed > late) return this.leave('no-answer', `nothing came for ${late} ms`);
    this.reads.tick();
    this.window.tick();
    if (this.tagger.old) this.run(() => (this.state === 'up' ? this.openSession() : undefined));
    this.doubt.tick();
    return undefined;
  }
}

