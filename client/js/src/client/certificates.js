/** The certificates that a client verified: each once, the newest kept, and none that contradicts another. */
import { certificateDigest, certificateHash, verifyDecodedCertificate, wrongSuccessor } from '../verify/certificate.js';
import { toHex } from '../verify/bytes.js';

const KEPT = 64;

export class VerifiedCertificates {
  /** `advanced(certificate)` is called for each that is newer than all before. */
  constructor(descriptor, advanced) {
    this.descriptor = descriptor;
    this.advanced = advanced;
    this.byNumber = new Map();
    this.verdicts = new Map();
    this.highest = 0n;
  }

  get newest() {
    return this.byNumber.get(this.highest) ?? null;
  }

  all() {
    return [...this.byNumber.values()];
  }

  /** The verdict on a certificate, which is kept when it is right. */
  async verdict(certificate) {
    const digest = toHex(certificateDigest(certificate));
    const known = this.verdicts.get(digest);
    if (known) return known;
    const verdict = await verifyDecodedCertificate(this.descriptor, certificate);
    if (!verdict.ok) return verdict;
    const conflict = this.conflict(certificate);
    if (conflict !== null) return { ...verdict, ok: false, fork: true, reason: conflict };
    this.keep(digest, verdict);
    return verdict;
  }

  /** What a certificate, which verifies, contradicts: then more than b bftservers lie. */
  conflict(certificate) {
    const { number } = certificate.content;
    const same = this.byNumber.get(number);
    if (same) {
      return toHex(certificateHash(same)) === toHex(certificateHash(certificate)) ? null : `there are two certificates with the number ${number}`;
    }
    let before = null;
    let after = null;
    for (const one of this.byNumber.values()) {
      const other = one.content.number;
      if (other < number && (before === null || other > before.content.number)) before = one;
      if (other > number && (after === null || other < after.content.number)) after = one;
    }
    return (before && wrongSuccessor(before, certificate, { gaps: true })) ?? (after && wrongSuccessor(certificate, after, { gaps: true }));
  }

  keep(digest, verdict) {
    const { certificate, number } = verdict;
    this.verdicts.set(digest, verdict);
    if (!this.byNumber.has(number)) this.byNumber.set(number, certificate);
    if (this.byNumber.size > KEPT) this.byNumber.delete([...this.byNumber.keys()].reduce((one, other) => (one < other ? one : other)));
    if (this.verdicts.size > 2 * KEPT) this.verdicts.delete(this.verdicts.keys().next().value);
    if (number > this.highest) {
      this.highest = number;
      this.advanced(certificate);
    }
  }
}
