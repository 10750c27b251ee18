/** The client: see README.md. */
import { Descriptor, loadDescriptor } from '../verify/descriptor.js';
import { Operation } from '../verify/messages.js';
import { encode } from '../verify/schema.js';
import { compareValues } from '../verify/values.js';
import { toHex } from '../verify/bytes.js';
import { ZERO } from '../verify/hash.js';
import { bad, countOf, elementOf, keyOf, listenerOf, millisOf, numberOf, optionsOf, settingsOf, toleranceOf } from './arguments.js';
import { AspasError } from './errors.js';
import { identity } from './identity.js';
import { Listeners } from './listeners.js';
import { Session } from './session.js';

/** What a client does unless it is told otherwise. */
export const USUAL = {
  server: 0, tolerance: Infinity, answerMillis: 5000, graceMillis: 3000, readMillis: 15000, connectMillis: 30000, mostUnconfirmed: 4096, inspect: 0,
};

/**
 * A client of a deployment. Safe to use from any code of one thread; calls may overlap. An argument that no server could take throws an
 * AspasError `bad-argument` at the call, before a promise is made; `connect` rejects with it.
 */
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
    if (typeof globalThis.crypto?.getRandomValues !== 'function') {
      throw new AspasError('unsupported', 'there is no Web Crypto (globalThis.crypto) here: the client needs Node 20 or newer, or a browser of today');
    }
    const settings = settingsOf(options, USUAL);
    const descriptor = await descriptorOf(settings.descriptor);
    if (!(Number.isInteger(settings.server) && settings.server >= 0 && settings.server < descriptor.appservers.length)) {
      throw bad(`there is no such appserver: server is an integer from 0 to ${descriptor.appservers.length - 1}`);
    }
    const listeners = new Listeners(settings.on ?? {});
    const emit = (name, detail) => listeners.emit(name, detail);
    const session = new Session({ descriptor, identity: await identity(descriptor, settings.key), options: settings, emit });
    if (settings.state) await session.takeOver(settings.state);
    const client = new AspasClient(descriptor, session, listeners);
    const timer = setTimeout(() => session.end(new AspasError('unreachable', `no appserver opened a session in time; ${session.failures()}`)),
      settings.connectMillis);
    try {
      await session.start();
    } catch (error) {
      await session.released;
      throw error;
    } finally {
      clearTimeout(timer);
    }
    session.doubt.askNewest().catch(() => {}); // What went wrong was told as an `error`.
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
    return this.#listeners.add(name, listenerOf(name, listener));
  }

  counter(key) {
    return new Counter(this.#calls(key, 'pn-counter'));
  }

  set(key) {
    return new AddWinsSet(this.#calls(key, 'aw-set'));
  }

  /** A verified certificate by its number; 0 is the newest of the present server. */
  certificate(number = 0n, options = undefined) {
    return this.#session.reads.getCertificate(numberOf(number), this.#millis(optionsOf(options)));
  }

  /** Ends the session. What is unconfirmed may still take effect; its promises are rejected. */
  async close() {
    this.#session.end(new AspasError('closed', 'the client is closed'));
    await this.#session.released;
  }

  #millis({ millis = this.#session.options.readMillis }) {
    return millisOf('millis', millis);
  }

  #calls(key, type) {
    const session = this.#session;
    const { limits } = this.descriptor;
    keyOf(key, limits);
    const answered = async (update) => ({ ...(await update.answered.promise), confirmed: update.confirmed.promise });
    return {
      update(name, ...args) {
        const operation = { name, arguments: args };
        if (encode(Operation, operation).length > limits.operationBytes) {
          throw bad(`an operation has at most ${limits.operationBytes} bytes in this deployment`, 'too-long');
        }
        return answered(session.window.submit({ key, type, operation }));
      },
      /** What asks for a read with these options, which are judged now. */
      reading: (given) => {
        const options = optionsOf(given);
        const { level = 'local' } = options;
        if (level !== 'local' && level !== 'certified') throw bad("a level is 'local' or 'certified'");
        const millis = this.#millis(options);
        return (part = null) => session.reads.read({ key, type, certified: level === 'certified', part, millis });
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
    return this.#calls.reading(options)();
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
    return this.#calls.reading(options)();
  }

  /** Whether an element is in the set: a result whose `value` is true or false. */
  has(element, options) {
    const wanted = elementOf(element);
    return this.#calls.reading(options)({ element: wanted, from: null, certificate: 0n })
      .then((result) => ({ ...result, value: result.value.some((one) => compareValues(one, wanted) === 0) }));
  }

  /** The pages of one certificate's set, of any size: results one by one. */
  pages(options) {
    return pagesOf(this.#calls.reading({ ...optionsOf(options), level: 'certified' }));
  }
}

async function* pagesOf(read) {
  let from = ZERO;
  let certificate = 0n;
  while (from !== null) {
    const page = await read({ element: null, from, certificate });
    yield page;
    certificate = page.certificate;
    from = page.elements?.next ?? null;
  }
}

async function descriptorOf(given) {
  if (given instanceof Descriptor) return given;
  if (!given?.text) throw bad('a descriptor is needed: a Descriptor, or {text, signature, operator}');
  const verdict = await loadDescriptor(given.text, given.signature, given.operator);
  if (!verdict.ok) throw bad(`the descriptor cannot be used: ${verdict.reason}`);
  return verdict.descriptor;
}

export { AspasError };
