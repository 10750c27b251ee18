/**
 * CBOR in its deterministic form, as docs/formats.md §1 has it: integers of 64 bits, byte strings, texts, arrays, true, false
 * and null. The reader takes only what the writer writes. Integers are BigInts.
 */
import { fromUtf8, isWellFormed, utf8 } from './bytes.js';

/** Values stand inside at most so many arrays. */
const MAX_DEPTH = 8;

const UNSIGNED = 0;
const NEGATIVE = 1;
const BINARY = 2;
const TEXT = 3;
const ARRAY = 4;
const FALSE = 0xf4;
const TRUE = 0xf5;
const NULL = 0xf6;
const MAX_INT = (1n << 63n) - 1n;
const MIN_INT = -(1n << 63n);

/** The bytes are not what was expected, or not in their one encoding. */
export class Malformed extends Error {}

/** Reads items one by one. Every method throws Malformed at anything but the item that it reads. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  major() {
    return this.at < this.bytes.length ? this.bytes[this.at] >> 5 : -1;
  }

  /** The number in the head of an item, as a BigInt. */
  head(major, what) {
    if (this.major() !== major) throw new Malformed(`expected ${what}`);
    const number = this.bytes[this.at++] & 0x1f;
    if (number < 24) return BigInt(number);
    const more = 1 << (number - 24);
    if (number > 27 || this.bytes.length - this.at < more) throw new Malformed('broken CBOR');
    let value = 0n;
    for (let i = 0; i < more; i++) value = (value << 8n) | BigInt(this.bytes[this.at++]);
    if (value < (more === 1 ? 24n : 1n << BigInt(4 * more))) throw new Malformed('not the deterministic encoding');
    return value;
  }

  /** A length: each byte or item takes at least a byte of what is left. */
  length(major, what) {
    const length = this.head(major, what);
    if (length > BigInt(this.bytes.length - this.at)) throw new Malformed('broken CBOR');
    return Number(length);
  }

  /** Opens an array and gives its number of items. */
  open() {
    return this.length(ARRAY, 'an array');
  }

  integer() {
    const negative = this.major() === NEGATIVE;
    const number = this.head(negative ? NEGATIVE : UNSIGNED, 'an integer');
    if (number > MAX_INT) throw new Malformed('an integer beyond 64 bits');
    return negative ? -1n - number : number;
  }

  /** An integer from a least to a greatest one. */
  between(least, greatest) {
    const value = this.integer();
    if (value < least || value > greatest) throw new Malformed('a number out of range');
    return value;
  }

  skip(byte) {
    if (this.at >= this.bytes.length || this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  bool() {
    if (this.skip(TRUE)) return true;
    if (this.skip(FALSE)) return false;
    throw new Malformed('expected a truth value');
  }

  absent() {
    return this.skip(NULL);
  }

  text() {
    const length = this.length(TEXT, 'a text');
    this.at += length;
    try {
      return fromUtf8(this.bytes.subarray(this.at - length, this.at));
    } catch {
      throw new Malformed('a broken text');
    }
  }

  binary() {
    const length = this.length(BINARY, 'a byte string');
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }

  atBinary() {
    return this.major() === BINARY;
  }

  value(depth = 0) {
    if (depth > MAX_DEPTH) throw new Malformed('values nested too deep');
    switch (this.major()) {
      case UNSIGNED:
      case NEGATIVE:
        return this.integer();
      case BINARY:
        return this.binary();
      case TEXT:
        return this.text();
      default: {
        const items = [];
        for (let left = this.open(); left > 0; left--) items.push(this.value(depth + 1));
        return items;
      }
    }
  }

  finish() {
    if (this.at < this.bytes.length) throw new Malformed('bytes after the end');
  }
}

/** Writes items one behind the other. A value that has no encoding is a programmer's error: RangeError or TypeError. */
export class Writer {
  constructor() {
    this.bytes = new Uint8Array(256);
    this.at = 0;
  }

  room(length) {
    if (this.at + length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + length));
      larger.set(this.bytes.subarray(0, this.at));
      this.bytes = larger;
    }
  }

  byte(byte) {
    this.room(1);
    this.bytes[this.at++] = byte;
  }

  head(major, number) {
    if (number < 24n) return this.byte((major << 5) | Number(number));
    const size = number < 1n << 8n ? 0 : number < 1n << 16n ? 1 : number < 1n << 32n ? 2 : 3;
    this.byte((major << 5) | (24 + size));
    for (let shift = 8 * ((1 << size) - 1); shift >= 0; shift -= 8) {
      this.byte(Number((number >> BigInt(shift)) & 0xffn));
    }
  }

  raw(bytes) {
    this.room(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  open(items) {
    this.head(ARRAY, BigInt(items));
  }

  integer(value) {
    const number = BigInt(value);
    if (number > MAX_INT || number < MIN_INT) throw new RangeError(`${number} does not fit into 64 bits`);
    if (number < 0n) this.head(NEGATIVE, -1n - number);
    else this.head(UNSIGNED, number);
  }

  bool(value) {
    this.byte(value ? TRUE : FALSE);
  }

  absent() {
    this.byte(NULL);
  }

  text(text) {
    if (!isWellFormed(text)) throw new RangeError('the text has an unpaired surrogate');
    const bytes = utf8(text);
    this.head(TEXT, BigInt(bytes.length));
    this.raw(bytes);
  }

  binary(bytes) {
    this.head(BINARY, BigInt(bytes.length));
    this.raw(bytes);
  }

  value(value, depth = 0) {
    if (depth > MAX_DEPTH) throw new RangeError('values nested too deep');
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return this.integer(value);
    if (typeof value === 'string') return this.text(value);
    if (value instanceof Uint8Array) return this.binary(value);
    if (!Array.isArray(value)) throw new TypeError(`no value of the protocol: ${String(value)}`);
    this.open(value.length);
    for (const item of value) this.value(item, depth + 1);
  }

  done() {
    return this.bytes.slice(0, this.at);
  }
}

/** The encoding of a value. */
export function encodeValue(value) {
  const out = new Writer();
  out.value(value);
  return out.done();
}
