/** Appservers of the example's deployment in memory, whose connections the test is the other end of: they take everything, and certify nothing. */
import { sha256, ZERO } from '../../src/verify/hash.js';
import { entryLeaf } from '../../src/verify/log.js';
import * as m from '../../src/verify/messages.js';
import { decode, encode } from '../../src/verify/schema.js';
import { appserverKeys, descriptor, sign } from './example.js';

export class Appservers {
  constructor() {
    /** The numbers and arguments of the updates that came. */
    this.updates = [];
    this.arguments = [];
    /** How many updates and reads came. */
    this.asked = 0;
    this.sequences = [0n, 0n, 0n, 0n];
    this.answers = 0;
    this.held = new Map();
    /** The servers that say nothing more. */
    this.frozen = new Set();
    /** The newest connections, by server: to end one from outside. */
    this.connections = new Map();
    /** The certificates of these servers, by number. */
    this.certificates = new Map();
    /** The newest certificate of a server. */
    this.newest = () => null;
    this.open = async (node, options, events) => {
      const give = (bytes) => setImmediate(() => !this.frozen.has(node.index) && events.frame(bytes));
      this.connections.set(node.index, events);
      give(encode(m.Hello, { deployment: descriptor.id, server: node.index }));
      return { send: (bytes) => this.take(node.index, bytes, give), close() {} };
    };
  }

  async take(server, bytes, give) {
    const frame = decode(m.Frame, bytes).value;
    const words = frame.signed;
    if (words) {
      const { name, number, client, operation } = words.message;
      if (name === 'Request') {
        this.asked++;
        this.updates.push(number);
        this.arguments.push(operation.arguments);
      }
      if (name !== 'Request') return give(await this.answer(server, client, 0n, [], words));
      // A request that comes again is answered as before.
      const place = `${server}:${number}`;
      if (!this.held.has(place)) this.held.set(place, this.answer(server, client, number, [], words));
      return give(await this.held.get(place));
    }
    const { message } = frame;
    if (message.name === 'GetCertificate') {
      const certificate = message.number === 0n ? this.newest(server) : this.certificates.get(message.number) ?? null;
      return give(encode(m.CertificateReply, { number: message.number, certificate }));
    }
    this.asked++;
    return give(await this.answer(server, this.reader, message.nonce, message.type === 'aw-set' ? [] : 0n, null, sha256(message.encoded)));
  }

  async answer(server, client, reference, result, body, leafOfRead = null) {
    this.reader = client;
    const dependencies = this.sequences.map((sequence, i) => (i === server ? sequence : 0n));
    const version = dependencies.slice();
    if (body !== null) version[server] = ++this.sequences[server];
    const dot = body === null ? null : { origin: server, sequence: version[server] };
    const leaf = body === null ? leafOfRead : entryLeaf(encode(m.Entry, { dot, dependencies, body }));
    const response = await sign(m.Response, {
      server, sequence: BigInt(++this.answers), client, reference, result, dot, leaf, version, roots: ZERO, certificate: 0n, certificateDigest: ZERO,
    }, appserverKeys[server]);
    return encode(m.Answer, { response, certificate: null, proof: null });
  }
}
