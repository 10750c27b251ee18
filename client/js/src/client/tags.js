/**
 * Tags (docs/formats.md §22): they tell a server that a client sent a request, so that it need not verify the signature. They are made by
 * WebCrypto. Where that has no X25519 (Node 20 and today's browsers have it), nothing is tagged, and servers verify each signature.
 */
import { concat, utf8 } from '../verify/bytes.js';
import { sha256 } from '../verify/hash.js';
import { Request, TaggedRequest } from '../verify/messages.js';
import { encode, signed } from '../verify/schema.js';

const LENGTH = 32;
const TAG_BYTES = 16;
/** A session with fewer requests is not worth the keys of its tags. */
const WORTHWHILE = 3;
/** Servers count the tags of a session for two hours; a client takes a new key before. */
const OLD_MILLIS = 3_600_000;
const PKCS8_HEAD = Uint8Array.of(0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x04, 0x22, 0x04, 0x20);
const BASE_POINT = new Uint8Array(LENGTH).fill(9, 0, 1);

/** Undefined in Node before 19, and in pages that are not of a secure origin. */
const subtle = globalThis.crypto?.subtle;

/** X25519; null when it gives zeros, or the other half is no key. */
async function agreed(privateKey, publicBytes) {
  try {
    const publicKey = await subtle.importKey('raw', publicBytes, { name: 'X25519' }, false, []);
    const secret = new Uint8Array(await subtle.deriveBits({ name: 'X25519', public: publicKey }, privateKey, 8 * LENGTH));
    return secret.some((byte) => byte !== 0) ? secret : null;
  } catch {
    return null;
  }
}

/** The key of one session record, from its 32 secret bytes; `share` is its public half. Rejects where WebCrypto has no X25519. */
export async function sessionKey(secret) {
  const privateKey = await subtle.importKey('pkcs8', concat(PKCS8_HEAD, secret), { name: 'X25519' }, false, ['deriveBits']);
  return {
    share: await agreed(privateKey, BASE_POINT),
    /** The key of this session and a server, with which tags are made; null for none. */
    async withServer(agreement, deployment, session, server) {
      const input = await agreed(privateKey, agreement);
      if (input === null) return null;
      const info = concat(utf8('aspas/v1/tags\0'), session, Uint8Array.of(server));
      const material = await subtle.importKey('raw', input, 'HKDF', false, ['deriveBits']);
      return new Uint8Array(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: deployment, info }, material, 8 * LENGTH));
    },
  };
}

const macKey = (bytes) => bytes && subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

/** The tag of a signed request by the key with a server; zeros without a key. */
export async function tagOf(bytes, words) {
  return macTag(await macKey(bytes), words);
}

async function macTag(key, { payload, signature }) {
  if (key === null) return new Uint8Array(TAG_BYTES);
  const mac = await subtle.sign('HMAC', key, concat(utf8('aspas/v1/request-tag\0'), sha256(payload), signature));
  return new Uint8Array(mac).subarray(0, TAG_BYTES);
}

/** Tags the requests of the present session. */
export class Tagger {
  constructor(descriptor) {
    this.descriptor = descriptor;
    this.possible = descriptor.appservers.every(({ agreementKey }) => agreementKey instanceof Uint8Array);
    this.opening = [];
    this.disconnected();
  }

  secret() {
    return globalThis.crypto.getRandomValues(new Uint8Array(LENGTH));
  }

  /** The key for a session record that is made now; null where there are no tags. */
  async offer() {
    if (!this.possible) return null;
    const key = await sessionKey(this.secret()).catch(() => null);
    this.possible = key !== null && key.share !== null;
    return this.possible ? key : null;
  }

  /** A session record with this key is on its way. */
  sent(key, words) {
    this.opening.push({ key, session: sha256(words.payload), since: performance.now() });
  }

  /** The server answered the oldest session record. */
  opened() {
    const session = this.opening.shift();
    this.present = session?.key ? session : null;
    this.keys = null;
    this.count = 0;
  }

  disconnected() {
    this.opening = [];
    this.present = null;
    this.keys = null;
    this.count = 0;
  }

  /** Whether the key of the present session should be renewed. */
  get old() {
    return this.present !== null && this.count > 0 && this.opening.length === 0 && performance.now() - this.present.since > OLD_MILLIS;
  }

  /** What gives an own request to the server. */
  async frame(words) {
    const session = this.present;
    if (session === null || ++this.count < WORTHWHILE) return encode(signed(Request), words);
    this.keys ??= Promise.all(this.descriptor.appservers.map(async ({ agreementKey }, i) =>
      macKey(await session.key.withServer(agreementKey, this.descriptor.id, session.session, i))));
    const tags = await Promise.all((await this.keys).map((key) => macTag(key, words)));
    return encode(TaggedRequest, { request: words, tags: concat(...tags) });
  }
}
