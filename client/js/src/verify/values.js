/** Values of the data types and their order (docs/formats.md §7). */
import { compare, isWellFormed, toHex, utf8 } from './bytes.js';

const MAX_INT = (1n << 63n) - 1n;
const MIN_INT = -MAX_INT - 1n;
const ELEMENT_BYTES = 4096;

/** Why a text is none of so many bytes in UTF-8, in a word of docs/vectors/texts.json; null when it is one. */
export function wrongText(text, least, most) {
  if (typeof text !== 'string') return 'not-text';
  // A code unit takes at least a byte, so that a text of gigabytes is not encoded to be measured.
  if (text.length > most) return 'too-long';
  if (!isWellFormed(text)) return 'lone-surrogate';
  const { length } = utf8(text);
  if (length > most) return 'too-long';
  return length < least ? 'empty' : null;
}

/** Why a value cannot be an element of a set, in a word of docs/vectors/texts.json; null when it can. */
export function wrongElement(value) {
  if (typeof value === 'bigint') return value > MAX_INT || value < MIN_INT ? 'out-of-range' : null;
  if (value instanceof Uint8Array) return value.length > ELEMENT_BYTES ? 'too-long' : null;
  return typeof value === 'string' ? wrongText(value, 0, ELEMENT_BYTES) : 'not-an-element';
}

/** The data types: the value of an object that is not there, and whether an object has elements of their own. */
export const TYPES = new Map([
  ['pn-counter', { empty: 0n, elements: false }],
  ['aw-set', { empty: [], elements: true }],
]);

function rank(value) {
  if (typeof value === 'bigint') return 0;
  if (typeof value === 'string') return 1;
  return value instanceof Uint8Array ? 2 : 3;
}

/** The order of values: integers, texts by UTF-8 bytes, byte strings by unsigned bytes, arrays item by item. */
export function compareValues(one, other) {
  const kind = rank(one);
  if (kind !== rank(other)) return kind - rank(other);
  if (kind === 0) return one < other ? -1 : one > other ? 1 : 0;
  if (kind === 1) return compare(utf8(one), utf8(other));
  if (kind === 2) return compare(one, other);
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const order = compareValues(one[i], other[i]);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** A text for a person, in one line: what a terminal would obey, and what turns the direction of writing, is escaped as in JSON. */
export function showText(text) {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A value for a person: `42`, `["a", 0x01ff]`. */
export function showValue(value) {
  if (typeof value === 'string') return showText(value);
  if (value instanceof Uint8Array) return `0x${toHex(value)}`;
  return Array.isArray(value) ? `[${value.map(showValue).join(', ')}]` : String(value);
}
