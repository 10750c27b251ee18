/** The deployment of the worked example in docs/formats.md §12: its keys, and the hexadecimal lines of the page. */
import { readFileSync } from 'node:fs';
import { Descriptor, parseHex, signingKey, toHex } from '../../src/verify/index.js';
import { sha256 } from '../../src/verify/hash.js';
import { utf8 } from '../../src/verify/bytes.js';
import { encode } from '../../src/verify/schema.js';

const page = readFileSync(new URL('../../../../docs/formats.md', import.meta.url), 'utf8');

/** The bytes of each line `name = hex` of the page. */
export const LINES = new Map([...page.matchAll(/^([a-z][a-z0-9 ]*) = ([0-9a-f]+)$/gm)].map(([, name, hex]) => [name, parseHex(hex)]));

export function line(name) {
  const bytes = LINES.get(name);
  if (!bytes) throw new Error(`docs/formats.md has no line "${name}"`);
  return bytes;
}

const seed = (byte) => new Uint8Array(32).fill(byte);
export const clientKey = await signingKey(seed(0x01));
export const appserverKeys = await Promise.all([0, 1, 2, 3].map((i) => signingKey(seed(0x10 + i))));
export const bftserverKeys = await Promise.all([0, 1, 2, 3].map((i) => signingKey(seed(0x20 + i))));
const node = (role) => (key, index) => ({ role, index, key: key.publicKey, host: 'localhost', servicePort: 0, sessionPort: null });

export const descriptor = new Descriptor({
  id: sha256(utf8('example')), name: 'example', f: 1, b: 1, admitted: new Set(), limits: { keyBytes: 512, operationBytes: 8192, linkFrameBytes: 1 << 20 },
  appservers: appserverKeys.map(node('appserver')), bftservers: bftserverKeys.map(node('bftserver')),
});

/** The hexadecimal digits of every payload that somebody of the example signed. */
export const signedPayloads = new Set();

/** A signed message: its payload is the encoding. */
export async function sign(type, message, key, domain = type.domain) {
  const payload = encode(type, message);
  signedPayloads.add(toHex(payload));
  return { message, payload, signature: await key.sign(descriptor.signedText(domain, payload)) };
}
