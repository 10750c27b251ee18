/** The deployment descriptor, its signature, and the operator's key as the trust anchor (docs/formats.md §11). */
import { asBytes, concat, fromUtf8, parseHex, toHex, utf8 } from './bytes.js';
import { isSoundKey, RULE, verifySignature } from './ed25519.js';
import { sha256, ZERO } from './hash.js';
import { wrongHost } from './host.js';
import { BadJson, parseStrictJson } from './json.js';
import { Trail, short } from './trail.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const NAMES = ['format', 'signatures', 'name', 'f', 'b', 'operator', 'nodes', 'admitted', 'limits'];
const NODE_NAMES = ['role', 'index', 'key', 'host', 'linkPort', 'servicePort', 'sessionPort', 'clientTls', 'agreementKey', 'orderingKey'];
const LIMITS = {
  clientFrameBytes: () => [KIB, 16 * MIB],
  linkFrameBytes: (limits) => [Math.max(64 * KIB, 2 * limits.clientFrameBytes), 64 * MIB],
  keyBytes: () => [1, 4096],
  operationBytes: (limits) => [16, Math.floor(limits.clientFrameBytes / 2)],
  batchEntries: () => [1, 65536],
  batchBytes: (limits) => [limits.clientFrameBytes, Math.floor(limits.linkFrameBytes / 2)],
  tickMillis: () => [5, 10000],
  epochTicks: () => [0, 10000],
  roundTicks: () => [1, 10000],
  retainedCertificates: () => [2, 1000000],
};

class BadDescriptor extends Error {}

/** Fields of one object, read without leniency. */
class Fields {
  constructor(owner, members, names) {
    if (!(members instanceof Map)) throw new BadDescriptor(`${owner} is not a JSON object`);
    this.owner = owner;
    this.members = members;
    for (const name of members.keys()) if (!names.includes(name)) throw new BadDescriptor(`${owner}: there is no field ${name}`);
  }

  wrong(name, expected) {
    const is = this.members.has(name) ? 'is not' : 'is missing; it is';
    return new BadDescriptor(`${this.owner}.${name} ${is} ${expected}`);
  }

  integer(name, least, greatest) {
    const value = this.members.get(name);
    if (!Number.isSafeInteger(value) || value < least || value > greatest) throw this.wrong(name, `an integer from ${least} to ${greatest}`);
    return value + 0;
  }

  text(name) {
    const value = this.members.get(name);
    if (typeof value !== 'string') throw this.wrong(name, 'a text');
    return value;
  }

  bytes(name, length) {
    const value = parseHex(this.text(name));
    if (value === null || (length !== undefined && value.length !== length)) throw this.wrong(name, `hexadecimal${length ? ` of ${length} bytes` : ''}`);
    return value;
  }

  key(name) {
    return soundKey(`${this.owner}.${name}`, this.text(name));
  }

  list(name) {
    const value = this.members.get(name);
    if (!Array.isArray(value)) throw this.wrong(name, 'an array');
    return value;
  }

  has(name) {
    return this.members.has(name);
  }
}

function soundKey(name, hex) {
  const key = parseHex(hex);
  if (key === null || key.length !== 32) throw new BadDescriptor(`${name} is not a key of 32 bytes`);
  if (!isSoundKey(key)) throw new BadDescriptor(`${name} is not the encoding of a point of prime order`);
  return key;
}

function readNode(members, i) {
  const fields = new Fields(`nodes[${i}]`, members, NODE_NAMES);
  const role = fields.text('role');
  if (role !== 'appserver' && role !== 'bftserver') throw fields.wrong('role', 'appserver or bftserver');
  const host = fields.text('host');
  if (wrongHost(host) !== null) throw fields.wrong('host', `a name or an address (${wrongHost(host)})`);
  const tls = fields.has('clientTls') ? fields.members.get('clientTls') : false;
  if (typeof tls !== 'boolean') throw fields.wrong('clientTls', 'true or false');
  fields.bytes('orderingKey');
  return {
    role,
    index: fields.integer('index', 0, 99),
    key: fields.key('key'),
    host,
    linkPort: fields.integer('linkPort', 0, 65535),
    servicePort: fields.integer('servicePort', 0, 65535),
    sessionPort: fields.has('sessionPort') ? fields.integer('sessionPort', 1, 65535) : null,
    clientTls: tls,
    agreementKey: fields.has('agreementKey') ? fields.bytes('agreementKey', 32) : null,
  };
}

function readLimits(members) {
  const fields = new Fields('limits', members, Object.keys(LIMITS));
  const limits = {};
  for (const [name, range] of Object.entries(LIMITS)) limits[name] = fields.integer(name, ...range(limits));
  return limits;
}

function byIndex(nodes, role, expected) {
  const members = nodes.filter((node) => node.role === role).sort((one, other) => one.index - other.index);
  if (members.length !== expected || members.some((node, i) => node.index !== i)) {
    throw new BadDescriptor(`nodes: ${expected} of role ${role} are needed, with indices from 0, each once`);
  }
  return members;
}

function checkNodes(nodes, appservers) {
  if (new Set(nodes.map((node) => toHex(node.key))).size !== nodes.length) throw new BadDescriptor('nodes: two servers have one key');
  const agreements = nodes.filter((node) => node.agreementKey !== null);
  const distinct = new Set(agreements.map((node) => toHex(node.agreementKey))).size;
  const ofAppservers = agreements.every((node) => node.role === 'appserver');
  if (agreements.length > 0 && (!ofAppservers || distinct !== appservers || agreements.length !== appservers)) {
    throw new BadDescriptor('nodes: either every appserver has an agreementKey of its own, or no node has one');
  }
}

/** Reads the fields of a text whose signature was verified. Throws BadDescriptor or BadJson. */
function read(text, operator) {
  const fields = new Fields('descriptor', parseStrictJson(decodeText(text)), NAMES);
  fields.integer('format', 1, 1);
  if (fields.text('signatures') !== RULE) throw fields.wrong('signatures', RULE);
  const f = fields.integer('f', 1, 33);
  const b = fields.integer('b', 1, 33);
  if (toHex(fields.key('operator')) !== toHex(operator)) throw new BadDescriptor('the descriptor names another operator than the one who signed it');
  const nodes = fields.list('nodes').map(readNode);
  const appservers = byIndex(nodes, 'appserver', 3 * f + 1);
  const bftservers = byIndex(nodes, 'bftserver', 3 * b + 1);
  checkNodes(nodes, appservers.length);
  const admitted = new Set(fields.list('admitted').map((hex, i) => toHex(soundKey(`admitted[${i}]`, hex))));
  return new Descriptor({
    id: sha256(text), name: fields.text('name'), f, b, appservers, bftservers, admitted, limits: readLimits(fields.members.get('limits')),
  });
}

function decodeText(bytes) {
  try {
    return fromUtf8(bytes);
  } catch {
    throw new BadJson('the text is not UTF-8');
  }
}

/** Who the servers are, how many faults are borne, who is admitted. Not to be changed. */
export class Descriptor {
  constructor(parts) {
    Object.assign(this, parts);
    Object.freeze(this);
  }

  /** The deployment id in hexadecimal. */
  get idHex() {
    return toHex(this.id);
  }

  /** How many bftservers must sign a certificate: 2b+1. */
  get quorum() {
    return 2 * this.b + 1;
  }

  /** Whether a client, of 48 bytes, may open sessions. */
  admits(client) {
    return this.admitted.size === 0 || this.admitted.has(toHex(client.subarray(0, 32)));
  }

  /** The bytes that a signature of this deployment covers. */
  signedText(domain, payload) {
    return signedText(domain, this.id, payload);
  }

  /** Whether a payload is signed by a key in a domain. */
  verify(key, domain, payload, signature) {
    return verifySignature(key, this.signedText(domain, payload), signature);
  }

  /** Whether the appserver with an index, which may be out of range, signed in a domain. */
  async appserverSigned(index, domain, signed) {
    return index < this.appservers.length
      && this.verify(this.appservers[index].key, domain, signed.payload, signed.signature);
  }
}

/** `aspas/v1/`, the domain, a zero byte, the deployment id, the payload (§3). */
export function signedText(domain, deployment, payload) {
  return concat(utf8(`aspas/v1/${domain}\0`), deployment, payload);
}

/**
 * Verifies the operator's signature of a descriptor, and reads it.
 *
 * @param text the JSON text: its exact bytes, or a string
 * @param signature 64 bytes, or their hexadecimal digits as the file `.sig` has them
 * @param operatorKey the operator's key, from a source that the reader trusts: 32 bytes or hexadecimal
 * @returns a verdict; `descriptor` is null unless it is ok
 */
export async function loadDescriptor(text, signature, operatorKey) {
  const trail = new Trail();
  const bytes = typeof text === 'string' ? utf8(text) : asBytes(text);
  const sigBytes = asBytes(signature);
  const operator = asBytes(operatorKey);
  const none = { descriptor: null };
  if (bytes === null) trail.fail('the descriptor is no text');
  else if (operator === null || operator.length !== 32) trail.fail('the operator\'s key is not 32 bytes, or 64 hexadecimal digits');
  else if (sigBytes === null || sigBytes.length !== 64) trail.fail('the signature is not 64 bytes, or 128 hexadecimal digits');
  if (!trail.ok) return trail.verdict(none);
  const signed = await verifySignature(operator, signedText('deployment', ZERO, bytes), sigBytes);
  if (!trail.check(signed, `The operator ${short(toHex(operator))} signed the descriptor.`, 'the descriptor is not signed by this operator')) {
    return trail.verdict(none);
  }
  try {
    const descriptor = read(bytes, operator);
    trail.note(`The deployment ${descriptor.name} has the id ${short(descriptor.idHex)}, ${descriptor.appservers.length} appservers`
      + ` and ${descriptor.bftservers.length} bftservers.`);
    return trail.verdict({ descriptor });
  } catch (error) {
    if (!(error instanceof BadDescriptor || error instanceof BadJson)) throw error;
    trail.fail(error.message);
    return trail.verdict(none);
  }
}
