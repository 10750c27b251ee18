/** Values of the data types and their order (docs/formats.md §7). */
import { compare, toHex, utf8 } from './bytes.js';

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

/** A value for a person: `42`, `["a", 0x01ff]`. */
export function showValue(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `0x${toHex(value)}`;
  return Array.isArray(value) ? `[${value.map(showValue).join(', ')}]` : String(value);
}
