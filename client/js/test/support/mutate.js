/** Seeded changes of encoded samples: of bytes, and of what they encode. */
import { Reader, Writer } from '../../src/verify/cbor.js';
import { concat } from '../../src/verify/bytes.js';
import { readItem } from './items.js';

/** A generator of numbers from 0 below 1, the same for one seed everywhere (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function writeItem(w, item) {
  if (item === null) w.absent();
  else if (typeof item === 'boolean') w.bool(item);
  else if (Array.isArray(item)) {
    w.open(item.length);
    for (const one of item) writeItem(w, one);
  } else w.value(item);
}

function parse(bytes) {
  try {
    const r = new Reader(bytes);
    const item = readItem(r);
    r.finish();
    return item;
  } catch {
    return undefined;
  }
}

function unparse(item) {
  const w = new Writer();
  writeItem(w, item);
  return w.done();
}

/** Makes changed samples. */
export class Mutator {
  /**
   * @param resign gives 64 bytes that a stranger signs for a payload
   */
  constructor(seed, samples, resign) {
    this.next = random(seed);
    this.samples = samples;
    this.resign = resign;
    this.pool = samples.flatMap((sample) => strings(parse(sample)));
  }

  below(n) {
    return Math.floor(this.next() * n);
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  /** A changed sample, which may by chance be as it was. */
  async mutate(bytes) {
    switch (this.below(6)) {
      case 0:
        return this.flip(bytes);
      case 1:
        return this.cut(bytes);
      case 2:
        return this.splice(bytes);
      default: {
        let item = parse(bytes);
        for (let changes = 1 + this.below(2); changes > 0; changes--) item = await this.change(item);
        return unparse(item);
      }
    }
  }

  flip(bytes) {
    const changed = bytes.slice();
    for (let flips = 1 + this.below(3); flips > 0; flips--) changed[this.below(changed.length)] ^= 1 << this.below(8);
    return changed;
  }

  cut(bytes) {
    const from = this.below(bytes.length);
    const to = Math.min(bytes.length, from + this.below(40));
    const piece = bytes.subarray(from, to);
    return this.pick([
      () => concat(bytes.subarray(0, from), bytes.subarray(to)),
      () => concat(bytes.subarray(0, to), piece, bytes.subarray(to)),
      () => bytes.slice(0, from),
    ])();
  }

  splice(bytes) {
    const other = this.pick(this.samples);
    const at = this.below(Math.min(bytes.length, other.length));
    return concat(bytes.subarray(0, at), other.subarray(at));
  }

  /** Changes one item somewhere in a tree of items; a byte string may itself hold one. */
  async change(item) {
    if (Array.isArray(item)) return this.changeArray(item);
    if (typeof item === 'bigint') return this.pick([item + 1n, item - 1n, 0n, item ^ (1n << BigInt(this.below(8))), (1n << 40n) + item]) & ((1n << 62n) - 1n);
    if (item instanceof Uint8Array) {
      const within = item.length > 4 ? parse(item) : undefined;
      if (Array.isArray(within) && this.below(4) > 0) return unparse(await this.change(within));
      const alike = this.pool.filter((one) => one.length === item.length);
      return alike.length > 0 && this.below(2) ? this.pick(alike) : item.length > 0 ? this.flip(item) : Uint8Array.of(0);
    }
    if (typeof item === 'string') return this.pick(['c', 's', 'k3', 'pn-counter', 'aw-set', `${item}x`]);
    return this.pick([true, false, null, 1n]);
  }

  async changeArray(items) {
    if (items.length === 0) return [this.pick(this.pool)];
    const changed = items.slice();
    const at = this.below(items.length);
    const way = this.below(12);
    if (way === 0) changed.splice(at, 1);
    else if (way === 1) changed.splice(at, 0, changed[this.below(items.length)]);
    else if (way === 2) [changed[at], changed[0]] = [changed[0], changed[at]];
    else if (way === 3) changed[at] = null;
    else {
      changed[at] = await this.change(changed[at]);
      const isSigned = items.length === 2 && items[0] instanceof Uint8Array && items[1] instanceof Uint8Array && items[1].length === 64;
      if (isSigned && at === 0 && this.below(2)) changed[1] = await this.resign(changed[0]);
    }
    return changed;
  }
}

/** All byte strings in a tree of items. */
function strings(item) {
  if (item instanceof Uint8Array) return [item, ...(Array.isArray(parse(item)) ? strings(parse(item)) : [])];
  return Array.isArray(item) ? item.flatMap(strings) : [];
}

