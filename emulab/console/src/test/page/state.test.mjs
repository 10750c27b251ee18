import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as state from '../../main/resources/console/app/state.js';

const HELLO = {
  version: 1,
  t: 10,
  readOnly: false,
  actions: ['tau', 'corrupt'],
  deployment: { id: 'ab', f: 1, b: 1, appservers: 4, bftservers: 4 },
  topology: { sites: [], links: [] },
  nodes: [],
  classes: [],
  keys: [],
  certificates: [],
  lag: null,
  story: [],
  proofs: [],
  attack: null,
  partition: null,
};

const after = (...events) => events.reduce((known, [name, data]) => state.reduce(known, name, data), state.EMPTY);
const node = (i, version, more = {}) => ({
  name: `appserver-${i}`,
  site: `s${i}`,
  state: 'running',
  role: null,
  version,
  delivered: version.reduce((a, b) => a + b, 0),
  certified: 0,
  certificate: 1,
  ...more,
});
const certificate = (number, ...servers) => ({ t: number, number, exclusions: servers.map((server) => ({ server, cut: 1 })) });
const line = (kind, since, text = kind) => ({ t: 1, seq: since + 2, kind, since, server: 'appserver-3', by: null, text, proof: null });
const ATTACK = { t: 5, server: 'appserver-3', role: 'forking', misdeeds: 1, clients: 3, switched: 0, revoked: 0, resubmitted: 0, rolledBack: 0, open: null };

test('hello begins anew and keeps what it brings', () => {
  const known = after(['hello', HELLO], ['story', line('action', 0)], ['hello', { ...HELLO, t: 99, certificates: [certificate(3)], lag: { steps: [] } }]);
  assert.equal(known.connection, 'open');
  assert.equal(known.t, 99);
  assert.deepEqual(known.story, []);
  assert.equal(known.certificates[0].number, 3);
  assert.deepEqual(known.lag, { steps: [] });
});

test('events that the page does not know change nothing', () => {
  const known = after(['hello', HELLO]);
  assert.equal(state.reduce(known, 'weather', { t: 5 }), known);
});

test('movements are what other origins added, and newer certificates', () => {
  const moved = state.movements([node(0, [5, 1]), node(1, [4, 1])], [node(0, [7, 3]), node(1, [4, 3], { certificate: 2 })]);
  assert.deepEqual(moved, [
    { from: 'appserver-1', to: 'appserver-0', entries: 2 },
    { to: 'appserver-1', certificate: true },
  ]);
});

test('a server that is new, or tells no version, moves nothing', () => {
  assert.deepEqual(state.movements([], [node(0, [7])]), []);
  assert.deepEqual(state.movements([node(0, [1])], [{ ...node(0, [1]), version: null }]), []);
});

test('lines keep the newest ticks only', () => {
  const ticks = Array.from({ length: state.TICKS + 5 }, (_, i) => ['classes', { t: i, classes: [{ id: 'a', waiting: i, exposure: 1 }] }]);
  const values = after(['hello', HELLO], ...ticks).lines['a waiting'];
  assert.equal(values.length, state.TICKS);
  assert.equal(values.at(-1), state.TICKS + 4);
  assert.equal(values[0], 5);
});

test('rates are per second over the ticks that have a figure', () => {
  const tick = (updates) => ['operations', { t: 1, millis: 500, servers: [{ updates, reads: null }, { updates: 1, reads: null }] }];
  const known = after(['hello', HELLO], tick(9), tick(19));
  assert.equal(state.rateOf(known, 'updates'), 30);
  assert.equal(state.rateOf(known, 'reads'), null);
});

test('the distance of values is exact beyond 2^53, and null where one is missing', () => {
  assert.equal(state.distance({ local: 214, certified: 201, error: null }), 13);
  assert.equal(state.distance({ local: '9223372036854775807', certified: '9223372036854775800', error: null }), 7);
  assert.equal(state.distance({ local: null, certified: 1, error: null }), null);
  assert.equal(state.distance({ local: 3, certified: 3, error: 'no answer' }), null);
  assert.equal(state.distance({ local: ['a'], certified: ['a'], error: null }), 0);
});

const values = (local, certified, error = null) => ['values', { t: 1, keys: [{ key: 'k', servers: [{ server: 'appserver-0', local, certified, error }] }] }];
const met = (...ticks) => after(['hello', HELLO], ...ticks).met['appserver-0 k'];

test('values meet when they are equal', () => {
  assert.equal(met(values(3, 2), values(3, 3), values(4, 4)), 2);
});

test('values meet when the certified one reaches or passes the local one that was noted', () => {
  assert.equal(met(values(10, 5), values(14, 9)), 0);
  assert.equal(met(values(10, 5), values(14, 9), values(20, 12)), 1);
  assert.equal(met(values(10, 5), values(14, 9), values(20, 12), values(30, 19)), 1);
  assert.equal(met(values(-10, -5), values(-20, -12)), 1);
});

test('values that nobody tells meet nothing', () => {
  assert.equal(met(values(3, 3, 'no answer')), undefined);
  assert.equal(met(values(null, null)), undefined);
});

test('a certificate cuts whom the one before did not', () => {
  const known = after(['hello', HELLO], ...[certificate(1), certificate(2, 'appserver-3'), certificate(3, 'appserver-3')].map((one) => ['certificate', one]));
  assert.deepEqual(known.certificates.map((one) => one.cuts), [[], ['appserver-3'], []]);
});

test('the story has eight steps at all times, and none is done before it is told', () => {
  for (const known of [state.EMPTY, after(['hello', HELLO], ['attack', ATTACK])]) {
    assert.equal(state.steps(known).length, 8);
    assert.ok(state.steps(known).every((step) => step.state === 'pending'));
  }
});

test('the steps follow the lines of this attack and no other', () => {
  const told = [line('misdeed', 0, 'first misdeed: old'), line('corrupted', null), line('misdeed', 0, 'first misdeed: it lies'), line('proof', 700), line('whole', 4000)];
  const known = after(['hello', HELLO], ['attack', { ...ATTACK, switched: 2 }], ...told.map((one) => ['story', one]));
  const byId = Object.fromEntries(state.steps(known).map((step) => [step.id, step]));
  assert.equal(byId.misdeed.text, 'it lies');
  assert.equal(byId.noticed.since, 700);
  assert.equal(byId.proof.state, 'done');
  assert.equal(byId.verdict.state, 'pending');
  assert.equal(byId.switched.state, 'open');
  assert.equal(byId.whole.state, 'done');
});

test('a proof may be told before the first misdeed is', () => {
  const early = { ...line('proof', 0), since: null };
  const told = [{ ...line('corrupted', 0), since: null }, early, line('misdeed', 0)];
  const known = after(['hello', HELLO], ['attack', { ...ATTACK, detected: 0 }], ...told.map((one) => ['story', one]));
  const [, noticed, proof, verdict] = state.steps(known);
  assert.deepEqual([noticed.state, proof.state, proof.since, verdict.state], ['done', 'done', 0, 'pending']);
});

test('what must not be is told as wrong, whatever else is told', () => {
  const known = after(['hello', HELLO], ['attack', ATTACK], ['story', line('whole', 9)], ['story', line('wrong', 10, 'an update is lost')]);
  const last = state.steps(known).at(-1);
  assert.equal(last.state, 'wrong');
  assert.equal(last.text, 'an update is lost');
});

test('one may act only while connected, and only as the server says', () => {
  const known = after(['hello', HELLO]);
  assert.ok(state.may(known, 'tau'));
  assert.ok(!state.may(known, 'stop'));
  assert.ok(!state.may({ ...known, connection: 'lost' }, 'tau'));
  assert.ok(!state.may(after(['hello', { ...HELLO, readOnly: true }]), 'tau'));
});

test('corruptions are servers that attack or are cut off', () => {
  const known = after(['hello', HELLO], ['nodes', { t: 1, nodes: [node(0, [1]), node(1, [1], { state: 'excluded' }), node(2, [1], { role: 'forking', state: 'stopped' })] }]);
  assert.equal(state.corruptions(known), 2);
});

test('dropped events are counted, and the end is the end', () => {
  const known = after(['hello', HELLO], ['dropped', { count: 3, total: 3 }], ['dropped', { count: 2, total: 5 }], ['end', { t: 1, text: 'over' }]);
  assert.equal(known.dropped, 5);
  assert.equal(known.connection, 'ended');
  assert.equal(known.ended, 'over');
});
