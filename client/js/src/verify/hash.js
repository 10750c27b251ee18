/** SHA-256 and what the protocol makes of it. */
import { sha256 as nobleSha256, sha512 as nobleSha512 } from './vendor/sha2.js';
import { concat, utf8 } from './bytes.js';

/** 32 zero bytes. */
export const ZERO = new Uint8Array(32);

const ONE_BYTE = [Uint8Array.of(0), Uint8Array.of(1)];

/** SHA-256 of byte strings behind each other. */
export function sha256(...parts) {
  return nobleSha256(parts.length === 1 ? parts[0] : concat(...parts));
}

/** SHA-512 of byte strings behind each other. */
export function sha512(...parts) {
  return nobleSha512(concat(...parts));
}

/** SHA-256 of a name, a zero byte, and byte strings. */
export function tagged(name, ...parts) {
  return sha256(utf8(`${name}\0`), ...parts);
}

/** The hash of a leaf: SHA-256(0x00, parts). */
export function leafHash(...parts) {
  return sha256(ONE_BYTE[0], ...parts);
}

/** The hash of an inner node: SHA-256(0x01, left, right). */
export function nodeHash(left, right) {
  return sha256(ONE_BYTE[1], left, right);
}
