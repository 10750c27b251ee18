/**
 * Ed25519 by the rule `ed25519-cofactorless` of docs/formats.md §3. WebCrypto decides points 2 and 3 where it has Ed25519 and
 * passes all vectors of §12; else a library in JavaScript does. Point 1 is checked once for each key, point 4 always.
 */
import * as noble from './vendor/noble-ed25519.js';
import { concat, equal, parseHex, toHex } from './bytes.js';
import { sha512 } from './hash.js';
import { ED25519_VECTORS } from './ed25519-vectors.js';

/** The name of the rule in a descriptor. */
export const RULE = 'ed25519-cofactorless';

const { Point } = noble;
const ORDER = Point.CURVE().n;
const IDENTITY = Point.ZERO.toBytes();
const MOST_KEYS = 4096;

noble.hashes.sha512 = sha512;

/** What is known of a key, by its hexadecimal digits; the oldest are forgotten. */
const known = new Map();

function keyOf(bytes) {
  const hex = toHex(bytes);
  let key = known.get(hex);
  if (!key) {
    key = { point: soundPoint(bytes), imported: null };
    if (known.size >= MOST_KEYS) known.delete(known.keys().next().value);
    known.set(hex, key);
  }
  return key;
}

/** The point of a key by point 1 of the rule, or null. */
function soundPoint(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 32) return null;
  try {
    const point = Point.fromBytes(bytes);
    return !point.is0() && point.isTorsionFree() ? point : null;
  } catch {
    return null;
  }
}

/** Whether a key is the canonical encoding of a point of prime order: nothing verifies under another one. */
export function isSoundKey(bytes) {
  return bytes instanceof Uint8Array && bytes.length === 32 && keyOf(bytes).point !== null;
}

function littleEndian(bytes) {
  return BigInt(`0x${toHex(bytes.slice().reverse())}`);
}

/** Points 2 and 3 of the rule in JavaScript. */
function equationHolds(point, key, text, signature) {
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  if (s >= ORDER) return false;
  const k = littleEndian(sha512(r, key, text)) % ORDER;
  const sB = s === 0n ? Point.ZERO : Point.BASE.multiply(s, false);
  return equal(sB.add(point.multiply(k, false).negate()).toBytes(), r);
}

const javascript = {
  name: 'JavaScript',
  verify: async (entry, key, text, signature) => equationHolds(entry.point, key, text, signature),
};

const webCrypto = {
  name: 'WebCrypto',
  async verify(entry, key, text, signature) {
    const { subtle } = globalThis.crypto;
    entry.imported ??= subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    return subtle.verify('Ed25519', await entry.imported, signature, text);
  },
};

async function verifyBy(engine, key, text, signature) {
  if (signature.length !== 64 || key.length !== 32) return false;
  const entry = keyOf(key);
  if (entry.point === null || equal(signature.subarray(0, 32), IDENTITY)) return false;
  return engine.verify(entry, key, text, signature);
}

/** Whether an engine decides all vectors as the rule does. */
async function passes(engine) {
  try {
    for (const [, valid, key, text, signature] of ED25519_VECTORS) {
      if ((await verifyBy(engine, parseHex(key), parseHex(text), parseHex(signature))) !== valid) return false;
    }
    return true;
  } catch {
    return false;
  }
}

let chosen = null;

async function choose() {
  if (globalThis.crypto?.subtle && (await passes(webCrypto))) return webCrypto;
  if (await passes(javascript)) return javascript;
  throw new Error('no implementation of Ed25519 decides as docs/formats.md §3 does');
}

function engine() {
  chosen ??= choose();
  return chosen;
}

/** What verifies signatures here: `WebCrypto` or `JavaScript`. */
export async function engineName() {
  return (await engine()).name;
}

/** Makes the library in JavaScript verify, even where WebCrypto could; for tests and comparisons. */
export function preferJavaScript(prefer = true) {
  chosen = prefer ? Promise.resolve(javascript) : null;
}

/** Whether a signature of a text verifies under a key, by the rule. Never throws for what the three hold. */
export async function verifySignature(key, text, signature) {
  return verifyBy(await engine(), key, text, signature);
}

/** A signing key from its seed of 32 bytes: `{publicKey, sign(text)}`. */
export async function signingKey(seed) {
  if (!(seed instanceof Uint8Array) || seed.length !== 32) throw new TypeError('a seed has 32 bytes');
  const secret = seed.slice();
  const publicKey = noble.getPublicKey(secret);
  const sign = await signer(secret);
  return { publicKey, sign };
}

async function signer(secret) {
  if (globalThis.crypto?.subtle) {
    try {
      const pkcs8 = concat(parseHex('302e020100300506032b657004220420'), secret);
      const key = await globalThis.crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
      return async (text) => new Uint8Array(await globalThis.crypto.subtle.sign('Ed25519', key, text));
    } catch {
      // This WebCrypto has no Ed25519.
    }
  }
  return async (text) => noble.sign(text, secret);
}
