/** Files whose kind is found out by what is in them, and verdicts as JSON. */
import { asBytes, toHex } from './bytes.js';
import { verifyValueProof } from './answer.js';
import { verifyCertificate } from './certificate.js';
import { verifyEvidence } from './evidence.js';
import { Certificate, Evidence, ValueProof, Verdict } from './messages.js';
import { decode, signed } from './schema.js';

/**
 * Verifies a certificate, evidence, a verdict or the proof of a value.
 *
 * @param options as verifyEvidence takes them
 * @returns the verdict with `what`: `certificate`, `evidence`, `value`, or `unknown`
 */
export async function verifyFile(descriptor, bytes, options = {}) {
  const given = asBytes(bytes);
  if (given !== null) {
    if (decode(Certificate, given).ok) return { what: 'certificate', ...(await verifyCertificate(descriptor, given)) };
    if (decode(Evidence, given).ok || decode(signed(Verdict), given).ok) return { what: 'evidence', ...(await verifyEvidence(descriptor, given, options)) };
    if (decode(ValueProof, given).ok) return { what: 'value', ...(await verifyValueProof(descriptor, given)) };
  }
  const reason = 'this is no certificate, no evidence and no proof of a value';
  return { what: 'unknown', ok: false, reason, steps: [{ text: reason, ok: false }] };
}

/** A verdict, or anything of it, for JSON.stringify: integers beyond 2^53 become texts, bytes hexadecimal. Decoded messages are left out. */
export function toJson(item) {
  if (typeof item === 'bigint') {
    return item >= BigInt(Number.MIN_SAFE_INTEGER) && item <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(item) : item.toString();
  }
  if (item instanceof Uint8Array) return toHex(item);
  if (Array.isArray(item)) return item.map(toJson);
  if (item === null || typeof item !== 'object') return item;
  const decodedMessages = ['certificate', 'response', 'descriptor'];
  return Object.fromEntries(Object.entries(item).filter(([name]) => !decodedMessages.includes(name)).map(([name, value]) => [name, toJson(value)]));
}
