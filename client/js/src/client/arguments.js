/**
 * What the application gives, judged at the call, before anything is numbered or sent: what no server could take is a `bad-argument`, with the
 * word of docs/vectors/texts.json as its `reason`.
 */
import { wrongElement, wrongText } from '../verify/values.js';
import { AspasError } from './errors.js';

const MAX_COUNT = (1n << 63n) - 1n;
/** Beyond it timers fire at once. */
const MOST_MILLIS = 2 ** 31 - 1;
const ELEMENT = 'an element is an integer of 64 bits, a text or bytes, of at most 4,096 bytes';

export function bad(message, reason) {
  return new AspasError('bad-argument', message, reason === undefined ? {} : { reason });
}

const WHY = {
  'not-text': 'it is no text',
  empty: 'it is empty',
  'too-long': 'it is longer',
  'lone-surrogate': 'it has a lone surrogate, which UTF-8 cannot encode',
  'not-an-element': 'it is of another type',
  'out-of-range': 'it is beyond 64 bits',
};

export function keyOf(key, { keyBytes }) {
  const wrong = wrongText(key, 1, keyBytes);
  if (wrong !== null) throw bad(`a key is a text of 1 to ${keyBytes} bytes in UTF-8: ${WHY[wrong]}`, wrong);
  return key;
}

/** An element as it is sent; bytes are copied, so that what the application does with them later changes nothing. */
export function elementOf(element) {
  if (Number.isInteger(element) && !Number.isSafeInteger(element)) throw bad(`${ELEMENT}: beyond 2^53 a number is not exact, give a BigInt`, 'out-of-range');
  const value = Number.isSafeInteger(element) ? BigInt(element) : element instanceof Uint8Array ? new Uint8Array(element) : element;
  const wrong = wrongElement(value);
  if (wrong !== null) throw bad(`${ELEMENT}: ${WHY[wrong]}`, wrong);
  return value;
}

export function countOf(by) {
  const count = typeof by === 'bigint' || Number.isSafeInteger(by) ? BigInt(by) : 0n;
  if (count < 1n || count > MAX_COUNT) throw bad('a count is an integer from 1 to 2^63 - 1', 'out-of-range');
  return count;
}

/** τ as it is sent: 0 for no bound. */
export function toleranceOf(tolerance) {
  if (tolerance === Infinity) return 0n;
  if (!Number.isSafeInteger(tolerance) || tolerance < 1) throw bad('a tolerance is an integer from 1, or Infinity');
  return BigInt(tolerance);
}

export function numberOf(number) {
  const value = Number.isSafeInteger(number) ? BigInt(number) : number;
  if (typeof value !== 'bigint' || value < 0n || value > MAX_COUNT) throw bad('the number of a certificate is an integer from 0 to 2^63 - 1');
  return value;
}

/** The options of a call: an object, or nothing. */
export function optionsOf(options) {
  if (options === undefined) return {};
  if (options === null || typeof options !== 'object') throw bad('options are an object');
  return options;
}

export function millisOf(name, millis) {
  if (!(typeof millis === 'number' && millis > 0 && millis <= MOST_MILLIS)) {
    throw bad(`${name} is a number of milliseconds above 0, and at most ${MOST_MILLIS}`);
  }
  return millis;
}

export function listenerOf(name, listener) {
  if (typeof name !== 'string') throw bad('the name of an event is a text');
  if (typeof listener !== 'function') throw bad(`the listener of ${name} is no function`);
  return listener;
}

/** The options of a client, whatever the deployment. */
export function settingsOf(options, usual) {
  if (options === undefined || options === null || typeof options !== 'object') throw bad('options with a descriptor are needed');
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...usual, ...given };
  settings.tolerance = toleranceOf(settings.tolerance);
  for (const name of ['answerMillis', 'graceMillis', 'readMillis', 'connectMillis']) millisOf(name, settings[name]);
  if (!Number.isSafeInteger(settings.mostUnconfirmed) || settings.mostUnconfirmed < 1) throw bad('mostUnconfirmed is an integer from 1');
  if (!(settings.inspect >= 0 && settings.inspect <= 1)) throw bad('inspect is a number from 0 to 1');
  for (const [name, listener] of Object.entries(optionsOf(settings.on ?? undefined))) listenerOf(name, listener);
  if (settings.state) {
    if ((settings.key ?? null) === null) throw bad('a record is of a key: give the client one');
    for (const name of ['load', 'save', 'close']) if (typeof settings.state[name] !== 'function') throw bad(`a state has the function ${name}`);
  }
  return settings;
}
