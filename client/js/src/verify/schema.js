/** What messages are made of: each type reads itself from a Reader and writes itself to a Writer. */
import { Malformed, Reader, Writer } from './cbor.js';
import { ZERO } from './hash.js';

const MAX_NAT = (1n << 63n) - 1n;
const INCARNATION = 1n << 40n;

/** The greatest number of origins, and of items of lists with one item for each server. */
export const MAX_ORIGINS = 100;

const integer = (least, greatest) => ({
  read: (r) => r.between(least, greatest),
  write: (w, value) => {
    if (BigInt(value) < least || BigInt(value) > greatest) throw new RangeError(`${value} is out of range`);
    w.integer(value);
  },
});

/** Counts and numbers are BigInts, indices are Numbers. */
export const nat = integer(0n, MAX_NAT);
export const pos = integer(1n, MAX_NAT);

/** An integer from 0 to a bound, as a Number. */
export const upTo = (bound) => ({
  read: (r) => Number(r.between(0n, BigInt(bound))),
  write: (w, value) => integer(0n, BigInt(bound)).write(w, value),
});
export const index = upTo(MAX_ORIGINS - 1);

export const bool = { read: (r) => r.bool(), write: (w, value) => w.bool(value) };
export const text = { read: (r) => r.text(), write: (w, value) => w.text(value) };
export const bstr = { read: (r) => r.binary(), write: (w, value) => w.binary(value) };
export const value = { read: (r) => r.value(), write: (w, item) => w.value(item) };

/** A byte string of a certain length. */
export const fixed = (length, what) => ({
  read(r) {
    const bytes = r.binary();
    if (bytes.length !== length) throw new Malformed(`${what} has ${length} bytes`);
    return bytes;
  },
  write(w, bytes) {
    if (!(bytes instanceof Uint8Array) || bytes.length !== length) throw new RangeError(`${what} has ${length} bytes`);
    w.binary(bytes);
  },
});
export const hash = fixed(32, 'a hash');
export const sig = fixed(64, 'a signature');
export const share = fixed(32, 'a share');

/** 48 bytes; the clock in it is below 2^63. */
export const client = {
  read(r) {
    const bytes = r.binary();
    if (bytes.length !== 48 || bytes[32] > 0x7f) throw new Malformed('a client is a key and two numbers, 48 bytes');
    return bytes;
  },
  write: fixed(48, 'a client').write,
};

export const optional = (type) => ({
  read: (r) => (r.absent() ? null : type.read(r)),
  write: (w, item) => (item === null || item === undefined ? w.absent() : type.write(w, item)),
});

export const list = (type, bound = Infinity) => ({
  read(r) {
    const length = r.open();
    if (length > bound) throw new Malformed('too many items');
    const items = [];
    for (let i = 0; i < length; i++) items.push(type.read(r));
    return items;
  },
  write(w, items) {
    if (items.length > bound) throw new RangeError('too many items');
    w.open(items.length);
    for (const item of items) type.write(w, item);
  },
});

/** A list in strictly ascending order of a number of its items. */
export const ascending = (type, number) => {
  const plain = list(type, MAX_ORIGINS);
  return {
    read(r) {
      const items = plain.read(r);
      for (let i = 1; i < items.length; i++) {
        if (number(items[i - 1]) >= number(items[i])) throw new Malformed('servers out of order');
      }
      return items;
    },
    write: plain.write,
  };
};

/** An array with these fields, in this order, as an object. A check may refuse what they make together. */
export const tuple = (fields, check = () => null) => {
  const names = Object.keys(fields);
  return {
    read(r) {
      if (r.open() !== names.length) throw new Malformed('another number of items');
      const read = {};
      for (const name of names) read[name] = fields[name].read(r);
      const wrong = check(read);
      if (wrong) throw new Malformed(wrong);
      return read;
    },
    write(w, item) {
      w.open(names.length);
      for (const name of names) fields[name].write(w, item[name]);
    },
  };
};

export const version = list(nat, MAX_ORIGINS);
export const dot = tuple({ origin: index, sequence: nat }, (read) =>
  read.sequence % INCARNATION === 0n ? 'no entry has this sequence' : null);

/** Whether a sequence, a component of a version or a size names an incarnation that is not open (§4). */
export function isLater(sequence) {
  return sequence >= INCARNATION;
}

const KINDS = new Map();

/**
 * A kind of message: an array of its number and fields. `more` are fields that are there all together, or not. What was read
 * has its encoding in `encoded`.
 */
export function message(number, name, fields, { domain = null, signer = null, more = {}, check = () => null } = {}) {
  const names = Object.keys(fields);
  const moreNames = Object.keys(more);
  const type = {
    number,
    name,
    domain,
    signer,
    read(r) {
      const begin = r.at;
      const items = r.open();
      if (r.integer() !== BigInt(number)) throw new Malformed(`not a message of the kind ${name}`);
      return type.body(r, begin, items);
    },
    /** Reads what follows the number. */
    body(r, begin, items) {
      const whole = moreNames.length > 0 && items === 1 + names.length + moreNames.length;
      if (!whole && items !== 1 + names.length) throw new Malformed('another number of fields');
      const read = { kind: number, name };
      for (const field of names) read[field] = fields[field].read(r);
      if (whole) for (const field of moreNames) read[field] = more[field].read(r);
      const wrong = check(read);
      if (wrong) throw new Malformed(wrong);
      read.encoded = r.bytes.slice(begin, r.at);
      return read;
    },
    write(w, item) {
      const whole = moreNames.length > 0 && moreNames.every((field) => item[field] !== undefined);
      w.open(1 + names.length + (whole ? moreNames.length : 0));
      w.integer(number);
      for (const field of names) fields[field].write(w, item[field]);
      if (whole) for (const field of moreNames) more[field].write(w, item[field]);
    },
  };
  KINDS.set(number, type);
  return type;
}

/** Any of these kinds. The kind is judged before anything behind it is read. */
export const anyOf = (types) => ({
  read(r) {
    const begin = r.at;
    const items = r.open();
    if (items === 0) throw new Malformed('a message without a kind');
    const number = r.integer();
    const type = types().find((one) => BigInt(one.number) === number);
    if (!type) throw new Malformed('not a message of the expected kind');
    return type.body(r, begin, items);
  },
  write: (w, item) => KINDS.get(item.kind).write(w, item),
});

/** A payload with a signature. The payload is the whole encoding of a message of the type. */
export const signed = (type) => ({
  read(r) {
    if (r.open() !== 2) throw new Malformed('a signed message is a payload and a signature');
    const payload = r.binary();
    const signature = sig.read(r);
    const inner = new Reader(payload);
    const read = type.read(inner);
    inner.finish();
    return { message: read, payload, signature };
  },
  write(w, item) {
    w.open(2);
    w.binary(item.payload);
    sig.write(w, item.signature);
  },
});

/** A kind of message by its number; undefined for none. */
export function kindOf(number) {
  return KINDS.get(number);
}

/** All kinds. */
export function kinds() {
  return [...KINDS.values()];
}

/** The encoding of a value of a type. */
export function encode(type, item) {
  const w = new Writer();
  type.write(w, item);
  return w.done();
}

/** Reads bytes to their end: `{ok: true, value}`, or `{ok: false, reason}`. Never throws. */
export function decode(type, bytes) {
  try {
    const r = new Reader(bytes);
    const read = type.read(r);
    r.finish();
    return { ok: true, value: read };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.message };
    throw error;
  }
}

/** The check of a message that its payload is the whole encoding of a type, which becomes its `content`. */
export const payloadOf = (type) => (read) => {
  const content = decode(type, read.payload);
  read.content = content.value;
  return content.ok ? null : content.reason;
};

/** The client that is nobody: 48 zero bytes. */
export const NOBODY = new Uint8Array(48);
export { ZERO };
