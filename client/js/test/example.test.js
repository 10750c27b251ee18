import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as verify from '../src/verify/index.js';
import { leafHash, sha256, tagged } from '../src/verify/hash.js';
import { encodeValue } from '../src/verify/cbor.js';
import { encode, signed } from '../src/verify/schema.js';
import { clientKey, descriptor, line } from './support/example.js';

const { messages, state, toHex } = verify;
const same = (bytes, name) => assert.equal(toHex(bytes), toHex(line(name)), name);
const read = (type, name) => {
  const decoded = verify.decode(type, line(name));
  assert.ok(decoded.ok, `${name}: ${decoded.reason}`);
  assert.equal(toHex(encode(type, decoded.value)), toHex(line(name)), `${name} written again`);
  return decoded.value;
};

test('keys, payloads, frames and leaves of docs/formats.md §12', async () => {
  same(descriptor.id, 'deployment id');
  same(clientKey.publicKey, 'client key');
  same(descriptor.appservers[0].key, 'appserver key');
  read(messages.OpenSession, 'session payload');
  const request = read(messages.Request, 'request payload');
  assert.equal(request.operation.name, 'increment');
  const frame = read(signed(messages.Request), 'request frame');
  same(await clientKey.sign(descriptor.signedText('request', line('request payload'))), 'request signature');
  assert.ok(await descriptor.verify(line('client key'), 'request', frame.payload, frame.signature));
  for (const number of [1, 2]) {
    read(messages.Entry, `entry ${number}`);
    same(leafHash(line(`entry ${number}`)), `leaf ${number}`);
  }
  const head = read(signed(messages.Head), 'head frame');
  same(head.message.root, 'log root');
  const proof = { leafIndex: 1n, treeSize: 2n, path: [line('leaf 1')] };
  assert.ok(verify.verifyInclusion(proof, line('leaf 2'), head.message.root));
  const empty = verify.EMPTY_ROOT;
  same(tagged('aspas/v1/log-roots', head.message.root, empty, empty, empty), 'log roots digest');
});

test('the answer, the certificate and the state of §12', async () => {
  const response = read(signed(messages.Response), 'response frame');
  const answer = encode(messages.Answer, { response, certificate: null, proof: null });
  const verdict = await verify.verifyAnswer(descriptor, { answer, update: line('request frame'), server: 0 });
  assert.ok(verdict.ok, verdict.reason);
  const certificate = await verify.verifyCertificate(descriptor, line('certificate'));
  assert.ok(certificate.ok, certificate.reason);
  assert.deepEqual(certificate.signers, [0, 1, 2]);
  assert.equal(certificate.hash, toHex(line('certificate hash')));
  same(certificate.certificate.content.state, 'state root');
  same(state.objectPath('c'), 'object path');
  same(state.objectLeaf('c', 'pn-counter', 5n), 'object leaf');
  same(state.clientPath(line('client')), 'client path');
  const block = tagged('aspas/v1/counted-block', encodeValue([[1n, [0n, 2n], sha256(line('request payload'))]]));
  same(block, 'counted block');
  same(tagged('aspas/v1/client-leaf', encodeValue([1n, line('client'), 1n, 8n, 0n, Uint8Array.of(1), [block]])), 'client leaf');
  same(state.stateRoot([
    { path: line('object path'), value: line('object leaf') }, { path: line('client path'), value: line('client leaf') }]), 'state root');
});

test('the confirmation of §12 covers the request', async () => {
  const response = verify.decode(signed(messages.Response), line('response frame')).value;
  const certificate = verify.decode(messages.Certificate, line('certificate')).value;
  const answer = encode(messages.Answer, { response, certificate: null, proof: null });
  const confirmation = encode(messages.Confirmation, {
    client: line('client'), certificate,
    covered: [{ number: 1n, dot: { origin: 0, sequence: 2n }, proof: { leafIndex: 1n, treeSize: 2n, path: [line('leaf 1')] } }],
  });
  const verdict = await verify.verifyConfirmation(descriptor, { confirmation, answer, update: line('request frame') });
  assert.ok(verdict.ok, verdict.reason);
  assert.equal(verdict.number, 1n);
});

test('the set of §12', () => {
  const twelve = Array.from({ length: 12 }, (_, origin) => [BigInt(origin), 1n]);
  const short = state.shortForm(twelve);
  same(encodeValue(short), 'short state of 1');
  const a = { path: state.elementPath('a'), value: state.elementLeaf('a', state.shortForm([[0n, 7n]])) };
  const one = { path: state.elementPath(1n), value: state.elementLeaf(1n, short) };
  same(a.path, 'path of element a');
  same(a.value, 'element leaf of a');
  same(one.path, 'path of element 1');
  same(one.value, 'element leaf of 1');
  same(state.stateRoot([a, one]), 'root of the elements');
  same(state.collectionLeaf('s', 'aw-set', 2n, line('root of the elements')), 'object leaf of the set');
  same(state.collectionLeaf('s', 'aw-set', 0n, new Uint8Array(32)), 'object leaf of the empty set');
});
