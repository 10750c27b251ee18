/** Who a client is: a key, the clock at its start, and 64 random bits (docs/formats.md §1). */
import { concat, parseHex } from '../verify/bytes.js';
import { signingKey } from '../verify/ed25519.js';
import { encode } from '../verify/schema.js';
import { AspasError } from './errors.js';

const PKCS8 = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/;
const PKCS8_HEAD = '302e020100300506032b657004220420';

/** The seed of a key: 32 bytes, their hexadecimal digits, or a PEM text of an Ed25519 key in PKCS#8. */
function seedOf(key) {
  if (key === undefined || key === null) return random(32);
  if (key instanceof Uint8Array && key.length === 32) return key;
  if (typeof key === 'string') {
    const pem = PKCS8.exec(key);
    const bytes = pem ? Uint8Array.from(atob(pem[1].replace(/\s/g, '')), (c) => c.charCodeAt(0)) : parseHex(key.trim());
    const head = parseHex(PKCS8_HEAD);
    if (bytes?.length === 32) return bytes;
    if (bytes?.length >= 48 && head.every((byte, i) => i === 1 || bytes[i] === byte)) return bytes.slice(16, 48);
  }
  throw new AspasError('bad-argument', 'a key is 32 bytes, their hexadecimal digits, or an Ed25519 key in PKCS#8 as PEM');
}

function random(length) {
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
}

function bigEndian(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}

/** A new client with a key: no other start of a program with the key has its 48 bytes. */
export async function identity(descriptor, key) {
  const { publicKey, sign } = await signingKey(seedOf(key));
  let next = new DataView(random(8).buffer).getBigUint64(0) >> 12n;
  return {
    client: concat(publicKey, bigEndian(BigInt(Date.now()) * 1000n), random(8)),
    publicKey,
    /** A number that no earlier question had. */
    nonce: () => (next = (next + 1n) & ((1n << 53n) - 1n)),
    async sign(type, message) {
      const payload = encode(type, message);
      return { message: { name: type.name, ...message }, payload, signature: await sign(descriptor.signedText(type.domain, payload)) };
    },
  };
}
