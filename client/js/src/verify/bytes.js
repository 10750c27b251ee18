/** Byte strings: hexadecimal, joining, comparing. */

const ENCODER = new TextEncoder();
// The byte order mark is a character like any other: a text has one encoding.
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a text in UTF-8. */
export function utf8(text) {
  return ENCODER.encode(text);
}

/** Whether a text has an encoding in UTF-8: no half of a surrogate pair is in it without the other. */
export function isWellFormed(text) {
  return !/(?:[\ud800-\udbff](?![\udc00-\udfff]))|(?:(?<![\ud800-\udbff])[\udc00-\udfff])/.test(text);
}

/** The text that these bytes are in UTF-8. Throws when they are no such text. */
export function fromUtf8(bytes) {
  return DECODER.decode(bytes);
}

/** All byte strings behind each other. */
export function concat(...parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether two byte strings are equal. */
export function equal(one, other) {
  return compare(one, other) === 0;
}

/** Compares by unsigned bytes, and a prefix is before what it begins: negative, 0 or positive. */
export function compare(one, other) {
  const length = Math.min(one.length, other.length);
  for (let i = 0; i < length; i++) {
    if (one[i] !== other[i]) return one[i] - other[i];
  }
  return one.length - other.length;
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function toHex(bytes) {
  let hex = '';
  for (const byte of bytes) hex += DIGITS[byte];
  return hex;
}

/** The bytes of hexadecimal digits of either case, or null when it is something else. */
export function parseHex(hex) {
  if (typeof hex !== 'string' || hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex)) return null;
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.substr(2 * i, 2), 16);
  return bytes;
}

/** Bytes as a Uint8Array, or null for what is no byte string: a view is taken as it is, hexadecimal is read. */
export function asBytes(input) {
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return typeof input === 'string' ? parseHex(input.trim()) : null;
}
