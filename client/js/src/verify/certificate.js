/** Certificates and their chain (docs/formats.md §8). */
import { asBytes, equal, toHex } from './bytes.js';
import { sha256, ZERO } from './hash.js';
import { Certificate } from './messages.js';
import { decode } from './schema.js';
import { Trail, short } from './trail.js';

/** What is wrong with a content of itself, or null. */
function wrongContent(descriptor, content) {
  const appservers = descriptor.appservers.length;
  if (!equal(content.deployment, descriptor.id)) return 'the certificate is of another deployment';
  if (content.number === 1n && !equal(content.previous, ZERO)) return 'the first certificate names a previous one';
  if (content.version.length !== appservers || content.roots.length !== appservers) {
    return `the version or the roots are not of ${appservers} appservers`;
  }
  let last = -1;
  for (const { origin, cut } of content.exclusions) {
    if (origin <= last || origin >= appservers) return 'the exclusions are out of order or out of range';
    if (content.version[origin] !== cut) return `origin ${origin} is excluded, and not certified up to its cut`;
    last = origin;
  }
  return null;
}

/** The hash of a certificate: of its payload, without the signatures. */
export function certificateHash(certificate) {
  return sha256(certificate.payload);
}

/** The digest that an answer names: of the whole encoding. */
export function certificateDigest(certificate) {
  return sha256(certificate.encoded);
}

/** The same as verifyCertificate, of a certificate that was decoded. */
export async function verifyDecodedCertificate(descriptor, certificate) {
  const trail = new Trail();
  const { content, signatures, payload } = certificate;
  const signers = signatures.map((one) => one.replica);
  const parts = { number: content.number, hash: toHex(certificateHash(certificate)), signers, certificate };
  const wrong = wrongContent(descriptor, content);
  if (!trail.check(wrong === null, `Certificate ${content.number} is of this deployment and fits together.`, wrong)) return trail.verdict(parts);
  const enough = signatures.length >= descriptor.quorum && signatures.length <= descriptor.bftservers.length;
  if (!trail.check(enough, `It has ${signatures.length} signatures; ${descriptor.quorum} are needed.`,
    `${signatures.length} signatures where ${descriptor.quorum} are needed`)) return trail.verdict(parts);
  const unknown = signers.find((replica) => replica >= descriptor.bftservers.length);
  if (unknown !== undefined) {
    trail.fail(`there is no bftserver ${unknown}`);
    return trail.verdict(parts);
  }
  const right = await Promise.all(signatures.map((one) =>
    descriptor.verify(descriptor.bftservers[one.replica].key, 'certificate', payload, one.signature)));
  signers.forEach((replica, i) => trail.check(right[i], `Bftserver ${replica} signed it.`, `the signature of bftserver ${replica} is wrong`));
  return trail.verdict(parts);
}

/**
 * Verifies a certificate with the keys of the descriptor alone.
 *
 * @param bytes the encoded Certificate
 * @returns a verdict with `number`, `hash`, `signers` and the decoded `certificate`; these are null when it cannot be decoded
 */
export async function verifyCertificate(descriptor, bytes) {
  const encoded = asBytes(bytes);
  const decoded = encoded === null ? { ok: false, reason: 'no bytes' } : decode(Certificate, encoded);
  if (!decoded.ok) {
    const trail = new Trail();
    trail.fail(`this is no certificate: ${decoded.reason}`);
    return trail.verdict({ number: null, hash: null, signers: [], certificate: null });
  }
  return verifyDecodedCertificate(descriptor, decoded.value);
}

/** Why a certificate cannot come after another one, both verified, or null. With gaps there may be others between them. */
export function wrongSuccessor(previous, next, { gaps = false } = {}) {
  const before = previous.content;
  const after = next.content;
  if (gaps ? after.number <= before.number : after.number !== before.number + 1n) return `certificate ${after.number} does not come after ${before.number}`;
  if (after.number === before.number + 1n && !equal(after.previous, certificateHash(previous))) {
    return `certificate ${after.number} names another certificate before it`;
  }
  for (let origin = 0; origin < after.version.length; origin++) {
    if (after.version[origin] < before.version[origin]) return `certificate ${after.number} goes back in the log of origin ${origin}`;
    if (after.version[origin] === before.version[origin] && !equal(after.roots[origin], before.roots[origin])) {
      return `certificate ${after.number} has another root for the same log of origin ${origin}`;
    }
  }
  const kept = before.exclusions.every((one) => after.exclusions.some((other) =>
    one.origin === other.origin && one.cut === other.cut && equal(one.evidence, other.evidence)));
  return kept ? null : `certificate ${after.number} lifts or changes an exclusion`;
}

/**
 * Verifies certificates and that each follows the one before it.
 *
 * @param certificates their bytes, lowest number first
 * @param options `gaps: true` lets certificates be missing in between
 * @returns a verdict with the `numbers`
 */
export async function verifyChain(descriptor, certificates, options = {}) {
  const trail = new Trail();
  const numbers = [];
  if (certificates.length === 0) trail.fail('there is no certificate');
  let previous = null;
  for (const bytes of certificates) {
    const verdict = await verifyCertificate(descriptor, bytes);
    if (!trail.add(verdict)) break;
    numbers.push(verdict.number);
    if (previous !== null) {
      const wrong = wrongSuccessor(previous, verdict.certificate, options);
      if (!trail.check(wrong === null, `Certificate ${verdict.number} follows certificate ${previous.content.number}:`
        + ` it names ${short(toHex(certificateHash(previous)))}, and nothing goes back.`, wrong)) break;
    }
    previous = verdict.certificate;
  }
  return trail.verdict({ numbers });
}
