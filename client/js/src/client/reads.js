/** Reads, and questions for certificates. A certified value is proved; a local one is what a server says. */
import { Answer, GetCertificate, Read, ValueProof } from '../verify/messages.js';
import { encode } from '../verify/schema.js';
import { AspasError } from './errors.js';

const RETRY_MILLIS = 250;

const movedOn = () =>
  new AspasError('refused', 'the certificate of the page is not kept here any more: begin again at the first page', { reason: 'moved-on' });

export class Reads {
  constructor(session) {
    this.session = session;
    this.pending = new Map();
    this.questions = [];
    this.fresh = false;
  }

  /** Reads an object, or a part of it. */
  read({ key, type, certified, part = null, millis }) {
    return new Promise((resolve, reject) => {
      const one = { key, type, certified, part, resolve, reject, deadline: performance.now() + millis, owedSince: null, askedAt: 0 };
      if (this.session.state === 'closed') return reject(new AspasError('closed', 'the client is closed'));
      if (this.forgotten(part)) return reject(movedOn());
      one.nonce = this.session.identity.nonce();
      this.pending.set(one.nonce, one);
      return this.session.run(() => this.send(one));
    });
  }

  send(one) {
    if (this.session.state !== 'up' || one.owedSince !== null || (one.certified && !this.fresh) || !this.pending.has(one.nonce)) return;
    const read = {
      nonce: one.nonce, key: one.key, type: one.type, certified: one.certified, certificate: this.session.certificates.highest, part: one.part,
    };
    one.sent = { ...read, encoded: encode(Read, read) };
    one.owedSince = performance.now();
    one.retryAt = null;
    this.session.send(one.sent.encoded);
  }

  async answered(answer) {
    const { message } = answer.response;
    const one = this.pending.get(message.reference);
    if (!one || one.owedSince === null) return;
    if (this.forgotten(one.part)) { // Since it was asked for: the server cannot know.
      this.pending.delete(one.nonce);
      one.reject(movedOn());
      return;
    }
    const verdict = await this.session.verified(answer, { update: null, read: one.sent });
    if (!verdict.ok) return;
    this.pending.delete(one.nonce);
    const { certificate } = verdict;
    const proof = one.certified
      ? encode(ValueProof, { layout: 1, read: one.sent.encoded, answer: encode(Answer, { ...answer, certificate }) }) : null;
    const number = one.certified ? certificate.content.number : message.certificate;
    one.resolve({
      value: verdict.value, level: one.certified ? 'certified' : 'local', server: message.server, version: message.version,
      certificate: number, certificateNumber: number, elements: verdict.elements, proof,
    });
  }

  /** Whether a page is asked of a certificate that this client does not keep any more. */
  forgotten(part) {
    const wanted = part?.certificate ?? 0n;
    return wanted !== 0n && !this.session.certificates.byNumber.has(wanted);
  }

  refused(nonce, reason, detail) {
    const one = this.pending.get(nonce);
    if (!one) return;
    if (['busy', 'behind', 'no-certificate', 'too-often'].includes(reason)) {
      one.owedSince = null;
      one.retryAt = performance.now() + RETRY_MILLIS;
    } else if (reason === 'draining') {
      this.session.leave('draining', detail);
    } else {
      this.pending.delete(nonce);
      one.reject(new AspasError('refused', `the server refuses the read (${reason}): ${detail}`, { reason }));
    }
  }

  /** Asks the present server for a certificate; 0 is the newest. */
  getCertificate(number, millis) {
    return new Promise((resolve, reject) => {
      if (this.session.state === 'closed') return reject(new AspasError('closed', 'the client is closed'));
      this.questions.push({ number, resolve, reject, deadline: performance.now() + millis });
      return this.session.run(() => this.session.send(encode(GetCertificate, { number })));
    });
  }

  certificate(number, certificate) {
    const answered = this.questions.filter((one) => one.number === number);
    this.questions = this.questions.filter((one) => one.number !== number);
    for (const one of answered) {
      if (certificate === null) one.reject(new AspasError('no-certificate', 'the server has no such certificate'));
      else one.resolve(certificate);
    }
  }

  /** f+1 servers have said which certificate is the newest that they know: certified reads may be asked. */
  nowFresh() {
    this.fresh = true;
    for (const one of this.pending.values()) this.send(one);
  }

  owedSince() {
    let since = Infinity;
    for (const one of this.pending.values()) if (one.owedSince !== null) since = Math.min(since, one.owedSince);
    return since;
  }

  tick() {
    const now = performance.now();
    for (const one of this.pending.values()) {
      if (now > one.deadline) {
        this.pending.delete(one.nonce);
        one.reject(new AspasError('timeout', 'no server answered the read in time'));
      } else if (one.retryAt && now >= one.retryAt) this.send(one);
    }
    this.questions = this.questions.filter((one) => {
      if (now > one.deadline) one.reject(new AspasError('timeout', 'no server answered in time'));
      return now <= one.deadline;
    });
  }

  connected() {
    for (const one of this.pending.values()) this.send(one);
    for (const { number } of this.questions) this.session.send(encode(GetCertificate, { number }));
  }

  disconnected() {
    for (const one of this.pending.values()) one.owedSince = null;
  }

  end(error) {
    for (const one of [...this.pending.values(), ...this.questions]) one.reject(error);
    this.pending.clear();
    this.questions = [];
  }
}
