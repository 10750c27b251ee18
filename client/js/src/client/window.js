/** The updates that are not confirmed: at most τ of them, in the order of their numbers. */
import { wrongCovered } from '../verify/answer.js';
import { Request } from '../verify/messages.js';
import { encode, signed } from '../verify/schema.js';
import { toHex } from '../verify/bytes.js';
import { AspasError } from './errors.js';

const MOST_UNDER_WAY = 64;
const RETRY_MILLIS = 300;
/** Numbers that are further ahead of the lowest unconfirmed one do not count (docs/formats.md §6). */
const SPAN = 1n << 17n;

/** A promise with its two ends, which nobody has to wait for. */
function deferred() {
  let ends;
  const promise = new Promise((resolve, reject) => { ends = { resolve, reject }; });
  promise.catch(() => {});
  return { promise, ...ends };
}

const fresh = (what) => (
  { what, answers: new Map(), answered: deferred(), confirmed: deferred(), sent: false, refusedBy: new Set(), owedSince: null });

/** Where the window has what an earlier client left. */
const placeOf = (client, number) => `${toHex(client)}:${number}`;

export class Window {
  constructor(session) {
    this.session = session;
    this.waiting = [];
    /** What earlier clients left by their places, then the own ones by number, ascending. */
    this.unconfirmed = new Map();
    /** Who those were, in hexadecimal. */
    this.earlier = new Set();
    /** Whether more is on the disk as open than is. */
    this.recordOld = false;
    this.last = 0n;
    this.tolerance = session.options.tolerance;
  }

  /** The unconfirmed update with this number of this client or an earlier one. */
  get(client, number) {
    return this.unconfirmed.get(this.session.isOwn(client) ? number : placeOf(client, number));
  }

  /** Takes in what earlier clients with the key left, byte for byte as they signed it. */
  inherit(requests) {
    for (const words of requests) {
      const { client, number, key, type, operation } = words.message;
      const place = placeOf(client, number);
      this.earlier.add(toHex(client));
      this.unconfirmed.set(place, { ...fresh({ key, type, operation }), client, number, place, words, due: true, dueAt: 0 });
    }
  }

  /** What earlier clients left and is not confirmed yet. */
  inherited() {
    return [...this.unconfirmed.values()].filter(({ place }) => typeof place === 'string');
  }

  /** Makes durable what is open; nothing is sent before. A client whose record cannot be written ends. */
  async save() {
    const { options: { state }, certificates } = this.session;
    this.recordOld = false;
    try {
      await state?.save({ certificate: certificates.highest, open: [...this.unconfirmed.values()].map(({ words }) => words) });
    } catch (error) {
      throw error instanceof AspasError ? error : new AspasError('record', `the record cannot be written: ${error?.message ?? error}`);
    }
  }

  /** Lets another process have the record. What is confirmed and stands in it yet counts once, should it be given again. */
  async closeRecord() {
    const { state } = this.session.options;
    try {
      if (this.recordOld) await this.save();
    } finally {
      await state?.close();
    }
  }

  /** How many updates may be unconfirmed: what τ allows, and the record takes. */
  get bound() {
    const { mostUnconfirmed, state } = this.session.options;
    return Math.min(this.tolerance === 0n ? mostUnconfirmed : Number(this.tolerance), state?.mostOpen ?? Infinity);
  }

  submit(what) {
    const { session } = this;
    const update = fresh(what);
    if (session.state === 'closed') {
      this.fail(update, new AspasError('closed', 'the client is closed'));
    } else {
      this.waiting.push(update);
      session.run(() => this.pump());
    }
    return update;
  }

  fail(update, error) {
    update.answered.reject(error);
    update.confirmed.reject(error);
  }

  /** Numbers, signs and sends what there is room for. */
  async pump() {
    const { session } = this;
    if (session.state !== 'up') return;
    for (const update of this.unconfirmed.values()) {
      if (this.underWay() >= MOST_UNDER_WAY) return;
      if (update.due && performance.now() >= update.dueAt) await this.give(update);
    }
    const begun = [];
    while (this.waiting.length > 0 && this.hasRoom(begun.length) && session.state === 'up') {
      const update = this.waiting.shift();
      const { client } = session.identity;
      const number = this.last + 1n;
      let words;
      try {
        words = await session.identity.sign(Request, { client, number, ...update.what });
      } catch (error) {
        this.fail(update, error);
        continue;
      }
      // A number that is used and never sent would hold up all after it.
      this.last = number;
      Object.assign(update, { client, number, place: number, words });
      this.unconfirmed.set(update.place, update);
      begun.push(update);
    }
    if (begun.length > 0) await this.begin(begun);
  }

  /** Sends what was numbered and signed, as soon as the record has it. */
  async begin(begun) {
    const { session } = this;
    try {
      if (session.state !== 'closed') await this.save();
    } catch (error) {
      session.end(error);
    }
    if (session.state === 'closed') {
      for (const update of begun) {
        this.unconfirmed.delete(update.place);
        this.fail(update, session.ended);
      }
      return;
    }
    for (const update of begun) await this.give(update);
  }

  hasRoom(begun) {
    let first = this.last + 1n;
    for (const { place } of this.unconfirmed.values()) {
      if (typeof place !== 'bigint') continue;
      first = place;
      break;
    }
    return this.unconfirmed.size < this.bound && this.underWay() + begun < MOST_UNDER_WAY && this.last + 1n - first < SPAN;
  }

  underWay() {
    let count = 0;
    for (const update of this.unconfirmed.values()) if (update.owedSince !== null) count++;
    return count;
  }

  async give(update) {
    const { session } = this;
    update.due = false;
    update.owedSince ??= performance.now();
    // Tags are for the requests of this client alone.
    session.send(session.isOwn(update.client) ? await session.tagger.frame(update.words) : encode(signed(Request), update.words));
  }

  /** When the oldest update was given that the present server has not answered; Infinity for none. */
  owedSince() {
    let since = Infinity;
    for (const update of this.unconfirmed.values()) if (update.owedSince !== null) since = Math.min(since, update.owedSince);
    return since;
  }

  disconnected() {
    for (const update of this.unconfirmed.values()) {
      update.owedSince = null;
      update.due = true;
      update.dueAt = 0;
    }
  }

  connected() {
    for (const update of this.unconfirmed.values()) Object.assign(update, { due: true, dueAt: 0, heldSince: null, coveredSince: null });
  }

  /** After a switch: says what the new server is about to be given. */
  resubmit() {
    if (this.unconfirmed.size > 0) {
      this.session.emit('resubmitted', { server: this.session.server, numbers: [...this.unconfirmed.values()].map(({ number }) => number) });
    }
  }

  /** A verified answer to an update. */
  answered(update, response) {
    const { dot, server } = response.message;
    update.owedSince = null;
    update.heldSince ??= performance.now();
    const before = update.answers.get(server);
    if (before && before.message.dot.sequence !== dot.sequence && !this.certified(before.message.dot)) {
      return this.session.leave('not-verified', `request ${update.number} got two places`);
    }
    if (!before || before.message.dot.sequence !== dot.sequence) update.answers.set(server, response);
    if (this.tolerance !== 1n) this.tell(update, response);
    const early = update.early?.find(({ item }) => item.dot.origin === dot.origin && item.dot.sequence === dot.sequence);
    if (early) {
      const wrong = this.covered(update, early.certificate, early.item);
      if (wrong !== null) return this.session.leave('not-verified', wrong);
    }
    return this.pump();
  }

  certified(dot) {
    const newest = this.session.certificates.newest;
    return newest !== null && dot.sequence <= newest.content.version[dot.origin];
  }

  tell(update, response) {
    if (update.unfit) return this.fail(update, update.unfit);
    const { dot, server, result } = response.message;
    return update.answered.resolve({ number: update.number, dot, server, result });
  }

  /** An item of a confirmation whose certificate is verified. Returns what is wrong with it, or null. */
  covered(update, certificate, item) {
    if (!this.unconfirmed.has(update.place)) return null;
    const answer = [...update.answers.values()].find(({ message: { dot } }) => dot.origin === item.dot.origin && dot.sequence === item.dot.sequence);
    if (!answer) {
      // The answer with this place, which tells its leaf, may be on its way.
      update.early = [...(update.early ?? []).slice(-3), { certificate, item }];
      return null;
    }
    const wrong = wrongCovered(certificate, item, answer.message);
    if (wrong !== null) {
      this.session.accusations.inspect(answer, { update: update.words, read: null });
      return wrong;
    }
    this.unconfirmed.delete(update.place);
    this.recordOld = true;
    this.tell(update, answer);
    const { number } = certificate.content;
    const confirmed = { client: toHex(update.client), number: update.number, certificate: number, certificateNumber: number, dot: item.dot };
    if (update.unfit) update.confirmed.reject(update.unfit);
    else update.confirmed.resolve(confirmed);
    this.session.emit('confirmed', confirmed);
    this.session.doubt.progress();
    return null;
  }

  /** An origin is cut off: what it answered beyond the cut has no place any more. */
  cut(origin, at) {
    const revoked = [];
    for (const update of this.unconfirmed.values()) {
      const answer = update.answers.get(origin);
      if (!answer || answer.message.dot.sequence <= at) continue;
      update.answers.delete(origin);
      if (!update.answers.has(this.session.server)) Object.assign(update, { due: true, dueAt: 0, heldSince: null });
      revoked.push(update.number);
    }
    if (revoked.length > 0) this.session.emit('revoked', { server: origin, numbers: revoked });
  }

  refused(update, reason, detail) {
    const { session } = this;
    if (!update || update.owedSince === null) return undefined;
    const error = new AspasError('refused', `the servers refuse it (${reason}): ${detail}`, { reason });
    const again = (millis) => Object.assign(update, { due: true, dueAt: performance.now() + millis });
    switch (reason) {
      case 'busy':
      case 'behind':
      case 'too-often':
        return again(RETRY_MILLIS);
      case 'draining':
        return session.leave('draining', detail);
      case 'wrong-type':
      case 'bad-operation':
        // Of f+1 servers one is correct; that one takes it when it is given again, without effect, so that its number is used.
        update.refusedBy.add(session.server);
        if (update.refusedBy.size > session.descriptor.f) {
          update.unfit = error;
          this.fail(update, error);
          return this.give(update);
        }
        return session.leave('refused', `${reason}: ${detail}`);
      default:
        update.refusedBy.add(session.server);
        if (update.refusedBy.size > session.descriptor.f) update.answered.reject(error);
        return session.leave('refused', `${reason}: ${detail}`);
    }
  }

  /** The present server is given again what it lacks. */
  tick() {
    this.session.run(async () => {
      if (this.recordOld && this.session.state !== 'closed') await this.save().catch((error) => this.session.end(error));
      return this.pump();
    });
  }

  /** The update that the present server has answered, and not proved, for longest. */
  oldestHeld() {
    let oldest = null;
    for (const update of this.unconfirmed.values()) {
      if (update.heldSince && (oldest === null || update.heldSince < oldest.heldSince)) oldest = update;
    }
    return oldest;
  }

  end(error) {
    for (const update of [...this.waiting.splice(0), ...this.unconfirmed.values()]) this.fail(update, error);
  }
}
