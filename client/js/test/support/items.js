/** CBOR items of any kind, and how docs/vectors shows them. */
import { parseHex } from '../../src/verify/index.js';

/** Any item of the protocol's CBOR: as a value, and true, false and null. */
export function readItem(r) {
  if (r.absent()) return null;
  if (r.skip(0xf5)) return true;
  if (r.skip(0xf4)) return false;
  if (r.major() !== 4) return r.value();
  return Array.from({ length: r.open() }, () => readItem(r));
}

/** The item that the vectors show in this way. */
export function itemOf(shown) {
  if (Array.isArray(shown)) return shown.map(itemOf);
  if (shown === null || typeof shown !== 'object') return shown;
  if ('int' in shown) return BigInt(shown.int);
  return 'text' in shown ? shown.text : parseHex(shown.bytes);
}
