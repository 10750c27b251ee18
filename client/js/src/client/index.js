/** The client: see README.md. */
import { Descriptor, loadDescriptor } from '../verify/descriptor.js';
import { compareValues } from '../verify/values.js';
import { toHex, utf8 } from '../verify/bytes.js';
import { ZERO } from '../verify/hash.js';
import { AspasError } from './errors.js';
import { identity } from './identity.js';
import { Session } from './session.js';

/** What a client does unless it is told otherwise. */
export const USUAL = { server: 0, tolerance: Infinity, answerMillis: 5000, graceMillis: 3000, readMillis: 15000, mostUnconfirmed: 4096, inspect: 0 };
const MAX_COUNT = (1n << 63n) - 1n;
const ELEMENT_BYTES = 4096;

/** A client of a deployment. Safe to use from any code of one thread; calls may overlap. */
export class AspasClient {
  #session;
  #listeners;

  constructor(descriptor, session, listeners) {
    this.descriptor = descriptor;
    this.#session = session;
    this.#listeners = listeners;
  }

  /**
   * Opens a session; resolves when a server has taken it.
   *
   * @param options `descriptor` (a Descriptor, or `{text, signature, operator}`), and see README.md
   */
  static async connect(options) {
    const settings = { ...USUAL, ...options, tolerance: toleranceOf(options.tolerance ?? USUAL.tolerance) };
    const descriptor = await descriptorOf(options.descriptor);
    if (!(Number.isInteger(settings.server) && settings.server >= 0 && settings.server < descriptor.appservers.length)) {
      throw new AspasError('bad-argument', `there is no appserver ${settings.server}`);
    }
    const listeners = new Map(Object.entries(options.on ?? {}).map(([name, listener]) => [name, new Set([listener])]));
    const emit = (name, detail) => {
      for (const listener of listeners.get(name) ?? []) listener(detail);
      for (const listener of listeners.get('*') ?? []) listener({ name, ...(detail instanceof Error ? { message: detail.message, error: detail } : detail) });
    };
    if (settings.state && (options.key ?? null) === null) throw new AspasError('bad-argument', 'a record is of a key: give the client one');
    const session = new Session({ descriptor, identity: await identity(descriptor, options.key), options: settings, emit });
    if (settings.state) session.inherit(await settings.state.load({ deployment: descriptor.id, key: session.identity.publicKey }));
    const client = new AspasClient(descriptor, session, listeners);
    const timer = setTimeout(() => session.end(new AspasError('unreachable', `no appserver opened a session in time; ${session.failures()}`)),
      options.connectMillis ?? 30000);
    try {
      await session.start();
    } catch (error) {
      await session.released;
      throw error;
    } finally {
      clearTimeout(timer);
    }
    session.doubt.askNewest();
    return client;
  }

  /** The client's 48 bytes in hexadecimal. */
  get id() {
    return toHex(this.#session.identity.client);
  }

  /** The index of the appserver that the client talks to. */
  get server() {
    return this.#session.server;
  }

  /** What the record had open when the client began, and no certificate covers yet: `{client, number, confirmed}` of each. */
  get inherited() {
    return this.#session.window.inherited().map(({ client, number, confirmed }) => ({ client: toHex(client), number, confirmed: confirmed.promise }));
  }

  /** How many updates no certificate covers yet, those of the record among them. */
  get unconfirmed() {
    return this.#session.window.unconfirmed.size;
  }

  /** How many updates wait for room in the window of τ. */
  get waiting() {
    return this.#session.window.waiting.length;
  }

  /** The number of the newest certificate that the client verified; 0n before the first. */
  get certificateNumber() {
    return this.#session.certificates.highest;
  }

  /** τ: how many updates may be unconfirmed at once; Infinity for no bound. */
  get tolerance() {
    const { tolerance } = this.#session.window;
    return tolerance === 0n ? Infinity : Number(tolerance);
  }

  set tolerance(tolerance) {
    const session = this.#session;
    const changed = toleranceOf(tolerance);
    session.run(() => {
      if (changed === session.window.tolerance) return undefined;
      session.window.tolerance = changed;
      return session.state === 'up' ? session.openSession().then(() => session.window.pump()) : undefined;
    });
  }

  /** Calls a listener at each event of a name, `*` for all; gives what removes it. */
  on(name, listener) {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  counter(key) {
    return new Counter(this.#calls(key, 'pn-counter'));
  }

  set(key) {
    return new AddWinsSet(this.#calls(key, 'aw-set'));
  }

  /** A verified certificate by its number; 0 is the newest of the present server. */
  certificate(number = 0n, { millis = this.#session.options.readMillis } = {}) {
    return this.#session.reads.getCertificate(BigInt(number), millis);
  }

  /** Ends the session. What is unconfirmed may still take effect; its promises are rejected. */
  async close() {
    this.#session.end(new AspasError('closed', 'the client is closed'));
    await this.#session.released;
  }

  #calls(key, type) {
    const session = this.#session;
    const { limits } = this.descriptor;
    if (typeof key !== 'string' || key === '' || utf8(key).length > limits.keyBytes) {
      throw new AspasError('bad-argument', `a key is a text of 1 to ${limits.keyBytes} bytes`);
    }
    return {
      async update(name, ...args) {
        const update = session.window.submit({ key, type, operation: { name, arguments: args } });
        return { ...(await update.answered.promise), confirmed: update.confirmed.promise };
      },
      read(options = {}, part = null) {
        const { level = 'local', millis = session.options.readMillis } = options;
        if (level !== 'local' && level !== 'certified') throw new AspasError('bad-argument', `there is no level ${level}`);
        return session.reads.read({ key, type, certified: level === 'certified', part, millis });
      },
    };
  }
}

/** A counter of 64 bits. */
class Counter {
  #calls;

  constructor(calls) {
    this.#calls = calls;
  }

  increment(by = 1) {
    return this.#calls.update('increment', countOf(by));
  }

  decrement(by = 1) {
    return this.#calls.update('decrement', countOf(by));
  }

  get(options) {
    return this.#calls.read(options);
  }
}

/** A set in which an addition wins over a removal that did not see it. */
class AddWinsSet {
  #calls;

  constructor(calls) {
    this.#calls = calls;
  }

  add(element) {
    return this.#calls.update('add', elementOf(element));
  }

  remove(element) {
    return this.#calls.update('remove', elementOf(element));
  }

  clear() {
    return this.#calls.update('clear');
  }

  get(options) {
    return this.#calls.read(options);
  }

  /** Whether an element is in the set: a result whose `value` is true or false. */
  async has(element, options) {
    const wanted = elementOf(element);
    const result = await this.#calls.read(options, { element: wanted, from: null, certificate: 0n });
    return { ...result, value: result.value.some((one) => compareValues(one, wanted) === 0) };
  }

  /** The pages of one certificate's set, of any size: results one by one. */
  async* pages(options = {}) {
    let from = ZERO;
    let certificate = 0n;
    while (from !== null) {
      const page = await this.#calls.read({ ...options, level: 'certified' }, { element: null, from, certificate });
      yield page;
      certificate = page.certificate;
      from = page.elements?.next ?? null;
    }
  }
}

function countOf(by) {
  const count = typeof by === 'bigint' || Number.isSafeInteger(by) ? BigInt(by) : 0n;
  if (count < 1n || count > MAX_COUNT) throw new AspasError('bad-argument', 'a count is an integer from 1 to 2^63-1');
  return count;
}

function elementOf(element) {
  const value = Number.isSafeInteger(element) ? BigInt(element) : element;
  const right = typeof value === 'bigint' ? value <= MAX_COUNT && value >= -MAX_COUNT - 1n
    : typeof value === 'string' ? utf8(value).length <= ELEMENT_BYTES
      : value instanceof Uint8Array && value.length <= ELEMENT_BYTES;
  if (!right) throw new AspasError('bad-argument', `an element is an integer of 64 bits, or a text or bytes of at most ${ELEMENT_BYTES} bytes`);
  return value;
}

function toleranceOf(tolerance) {
  if (tolerance === Infinity) return 0n;
  if (!Number.isSafeInteger(tolerance) || tolerance < 1) throw new AspasError('bad-argument', 'a tolerance is an integer from 1, or Infinity');
  return BigInt(tolerance);
}

async function descriptorOf(given) {
  if (given instanceof Descriptor) return given;
  if (!given?.text) throw new AspasError('bad-argument', 'a descriptor is needed: a Descriptor, or {text, signature, operator}');
  const verdict = await loadDescriptor(given.text, given.signature, given.operator);
  if (!verdict.ok) throw new AspasError('bad-argument', `the descriptor cannot be used: ${verdict.reason}`);
  return verdict.descriptor;
}

export { AspasError };
