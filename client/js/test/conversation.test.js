/** The recorded conversation of docs/vectors, given to the client byte by byte as a server would, and with any byte changed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AspasError, USUAL } from '../src/client/index.js';
import { Session } from '../src/client/session.js';
import { certificateHash, loadDescriptor, encode, parseHex, signingKey, toHex } from '../src/verify/index.js';
import { itemOf } from './support/items.js';

const vectors = (name) => JSON.parse(readFileSync(new URL(`../../../docs/vectors/${name}.json`, import.meta.url), 'utf8'));
const { client: recorded, scenes, server } = vectors('conversation');
const [first] = vectors('descriptor').cases;
const { descriptor } = await loadDescriptor(first.text, first.signatureFile, first.operatorKey);
const key = await signingKey(parseHex(recorded.seed));
const STRIDE = Number(process.env.ASPAS_STRIDE ?? 9);

/** Signs as the recorded client did. */
function identity() {
  let nonce = 0n;
  return {
    client: parseHex(recorded.client),
    nonce: () => ++nonce,
    async sign(type, message) {
      const payload = encode(type, message);
      return { message: { name: type.name, ...message }, payload, signature: await key.sign(descriptor.signedText(type.domain, payload)) };
    },
  };
}

/** One client on a connection whose other end is this test. */
class Dialogue {
  constructor() {
    this.sent = [];
    this.events = [];
    this.session = new Session({
      descriptor, identity: identity(), emit: (name, detail) => this.events.push({ name, detail }),
      options: {
        ...USUAL, server: Number(server), tolerance: BigInt(recorded.tolerance), graceMillis: 60_000, answerMillis: 60_000, readMillis: 60_000,
        open: async (node, options, events) => {
          this.connection ??= events;
          return { send: (bytes) => this.sent.push(toHex(bytes)), close() {} };
        },
      },
    });
    this.session.tagger.secret = () => parseHex(recorded.sharePrivateKey);
    this.session.reads.nowFresh();
    this.session.start().catch(() => {});
    clearInterval(this.session.timer);
  }

  /** Until all steps are done, those that other steps began too. */
  async idle() {
    for (let before = null; before !== this.session.steps;) {
      before = this.session.steps;
      await before;
    }
  }

  async give(hex) {
    this.connection.frame(parseHex(hex));
    await this.idle();
  }

  /** Makes the call of a scene. What comes of it is in the outcome. */
  async call(call) {
    const outcome = {};
    const note = (promise, what) => promise.then((value) => { outcome[what] = value; }, (error) => { outcome.error = error; });
    if (call?.do === 'update') {
      const update = this.session.window.submit({
        key: call.key, type: call.type, operation: { name: call.operation.name, arguments: itemOf(call.operation.arguments) },
      });
      note(update.answered.promise, 'answered');
      note(update.confirmed.promise, 'confirmed');
    } else if (call?.do === 'read') {
      const part = call.element !== undefined ? { element: itemOf(call.element), from: null, certificate: 0n }
        : call.from !== undefined ? { element: null, from: parseHex(call.from), certificate: BigInt(call.certificate ?? 0) } : null;
      note(this.session.reads.read({ key: call.key, type: call.type, certified: call.certified, part, millis: 60_000 }), 'read');
    } else if (call?.do === 'certificate') {
      note(this.session.reads.getCertificate(BigInt(call.number), 60_000), 'certificate');
    }
    await this.idle();
    return outcome;
  }

  end() {
    this.session.end(new Error('the test is over'));
  }
}

/** Compares an outcome with the recorded one; throws where they differ. What is not there yet does not differ. */
function compare(outcome, expected) {
  if (outcome.answered) {
    assert.deepEqual(outcome.answered.result, itemOf(expected.result));
    assert.deepEqual([outcome.answered.dot.origin, outcome.answered.dot.sequence], expected.dot.map((one, i) => (i === 0 ? Number(one) : BigInt(one))));
  }
  if (outcome.confirmed) assert.equal(outcome.confirmed.certificate, BigInt(expected.certificate));
  if (outcome.read) {
    assert.deepEqual(outcome.read.value, itemOf(expected.result));
    if (outcome.read.level === 'certified') assert.equal(outcome.read.certificate, BigInt(expected.certificate));
  }
  if (outcome.certificate) {
    assert.equal(toHex(outcome.certificate.content.deployment), descriptor.idHex);
    assert.equal(toHex(certificateHash(outcome.certificate)), expected.hash);
  }
}

const playable = scenes.filter(({ call }) => call === null || ['update', 'read', 'certificate'].includes(call.do));

test('the recorded conversation', async (t) => {
  const dialogue = new Dialogue();
  await dialogue.idle();
  for (const { what, call, frames, outcome: expected } of playable) {
    const outcome = await dialogue.call(call);
    for (const { from, kind, hex } of frames) {
      if (from === 'server') await dialogue.give(hex);
      else assert.equal(dialogue.sent.shift(), hex, `${what}: ${kind}`);
    }
    if (expected === undefined || expected === null) continue;
    if (expected.refused !== undefined) {
      assert.ok(outcome.error, what);
      continue;
    }
    compare(outcome, expected);
    const got = ['read', 'certificate', 'confirmed'].filter((name) => outcome[name]);
    assert.equal(got.length, 1, `${what}: ${outcome.error?.message ?? 'no outcome'}`);
  }
  assert.deepEqual(dialogue.events.filter(({ name }) => ['error', 'not-verified', 'switched'].includes(name)), []);
  t.diagnostic(`${playable.length} of ${scenes.length} scenes`);
  dialogue.end();
});

test(`the conversation with a byte of a server's frame changed, every ${STRIDE}th`, async (t) => {
  let changed = 0;
  let stopped = 0;
  for (const [at, scene] of playable.entries()) {
    if (scene.outcome?.refused !== undefined) continue;
    for (const [place, frame] of scene.frames.entries()) {
      if (frame.from !== 'server') continue;
      for (let byte = (at + place) % STRIDE; byte < frame.hex.length / 2; byte += STRIDE) {
        stopped += await withByteChanged(at, place, byte) ? 0 : 1;
        changed++;
      }
    }
  }
  t.diagnostic(`${changed} changed bytes; ${stopped} left the call without its outcome, none gave it another one`);
});

/** Plays the scenes up to one, of which a byte of one frame is changed. Whether the call had its outcome all the same. */
async function withByteChanged(last, place, byte) {
  const dialogue = new Dialogue();
  await dialogue.idle();
  let outcome = {};
  for (const [at, { call, frames, outcome: expected }] of playable.slice(0, last + 1).entries()) {
    outcome = await dialogue.call(call);
    for (const [i, { from, hex }] of frames.entries()) {
      if (from !== 'server') continue;
      const bytes = parseHex(hex);
      if (at === last && i === place) bytes[byte] ^= 1 << (byte % 8);
      await dialogue.give(toHex(bytes));
    }
    if (expected && expected.refused === undefined) compare(outcome, expected);
  }
  dialogue.end();
  return Boolean(outcome.read ?? outcome.certificate ?? outcome.confirmed);
}

test('a client that its application closes at a switch stays closed', async () => {
  const dialogue = new Dialogue();
  const { session } = dialogue;
  await dialogue.idle();
  session.emit = (name) => name === 'switched' && session.end(new AspasError('closed', 'the client is closed'));
  await dialogue.give('00');
  assert.equal(session.state, 'closed');
});
