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
const ATTACK = { t: 5, server: 'appserver-3', role: 'forking', misdeeds: 1, clients: 3, switched: 0, revoked: 0, resubmitted: 0, rolledBack: 0, recovered: null, excluded: null, open: null };

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

test('the story has the same stages in the same order at all times, and none is done before it is told', () => {
  for (const known of [state.EMPTY, after(['hello', HELLO], ['attack', ATTACK])]) {
    assert.deepEqual(state.steps(known).map((step) => step.id), ['misdeed', 'caught', 'verdict', 'excluded', 'recovered', 'whole']);
    assert.ok(state.steps(known).every((step) => step.state === 'pending'));
  }
});

test('the steps follow the lines of this attack and no other', () => {
  const told = [line('misdeed', 0, 'first misdeed: old'), line('corrupted', null), line('misdeed', 0, 'first misdeed: it lies'), line('proof', 700), line('whole', 4000)];
  const known = after(['hello', HELLO], ['attack', { ...ATTACK, switched: 2 }], ...told.map((one) => ['story', one]));
  const byId = Object.fromEntries(state.steps(known).map((step) => [step.id, step]));
  assert.equal(byId.misdeed.text, 'it lies');
  assert.deepEqual([byId.caught.state, byId.caught.since], ['done', 700]);
  assert.equal(byId.verdict.state, 'pending');
  assert.equal(byId.recovered.state, 'open');
  assert.match(byId.recovered.text, /2 of 3 clients left it, 1 still to go/);
  assert.equal(byId.whole.state, 'done');
});

test('who notices without a proof has not caught it yet, and both are one stage', () => {
  const noticed = { ...line('noticed', 300, 'detected: client 3: a check fails'), by: 'client 3' };
  const at = (...lines) => state.steps(after(['hello', HELLO], ['attack', ATTACK], ...lines.map((one) => ['story', one])))[1];
  assert.deepEqual([at(noticed).state, at(noticed).since], ['open', 300]);
  assert.match(at(noticed).text, /^client 3: a check fails; no proof yet$/);
  const both = at(noticed, line('proof', 700, 'proved: the proof X by appserver-1'));
  assert.deepEqual([both.state, both.since], ['done', 700]);
  assert.equal(both.text, 'the proof X by appserver-1; noticed first by client 3 after 300 ms');
});

test('stages that are done are never earlier than those that they need', () => {
  const told = [line('misdeed', 0), line('proof', 700), line('verdict', 720), line('excluded', 2300), line('rolledback', 2310), line('switched', 900), line('whole', 6600)];
  const attack = { ...ATTACK, excluded: 2300, switched: 3, rolledBack: 4, recovered: 2100, open: 0 };
  const times = state.steps(after(['hello', HELLO], ['attack', attack], ...told.map((one) => ['story', one]))).map((step) => step.since);
  assert.deepEqual(times, [0, 700, 720, 2300, 2300, 6600]);
});

test('what is awaited to the end, and where', () => {
  const attack = { ...ATTACK, excluded: 900, open: 7, openOnce: 61, openAt: [{ server: 'appserver-0', updates: 4 }, { server: 'appserver-2', updates: 3 }] };
  const last = state.steps(after(['hello', HELLO], ['attack', attack], ['story', line('excluded', 900)])).at(-1);
  assert.equal(last.state, 'open');
  assert.equal(last.text, '7 of 61 unconfirmed updates await a certificate: 4 at appserver-0, 3 at appserver-2');
});

test('without a confirmation in the window there is no lag, rather than none at all', () => {
  const lag = (count, mean) => ['lag', { t: 1, windowMillis: 10_000, steps: [{ step: 'whole', seenBy: 'appserver', count, mean, p50: mean, p99: mean }] }];
  const known = after(['hello', HELLO], lag(0, null), lag(3, 812.5));
  assert.deepEqual(known.series.lag, [null, 812.5]);
  assert.equal(state.wholeOf({ steps: [{ step: 'whole', count: 0, mean: 0 }] }), null);
});

test('how long an update takes is over all answers of the last seconds, and unknown without any', () => {
  const tick = (answered, answerMillis) => ['classes', { t: 1, classes: [{ id: 'a', waiting: null, exposure: 1, answered, answerMillis }] }];
  const known = after(['hello', HELLO], tick(1, 1000), tick(0, null), tick(3, 200));
  assert.equal(state.answerOf(known, 'a'), 400);
  assert.deepEqual(known.lines['a waiting'], [null, null, null]);
  assert.equal(state.answerOf(after(['hello', HELLO], tick(0, null)), 'a'), null);
});

test('throughput is reads and updates together, and the answer a median of updates', () => {
  const tick = ['operations', { t: 1, millis: 500, servers: [{ updates: 5, reads: 10 }], samples: [3, 900, 4].map((millis) => ({ kind: 'update', millis })).concat({ kind: 'read', millis: 1 }) }];
  const known = after(['hello', HELLO], tick);
  assert.deepEqual([known.series.throughput, known.series.answer], [[30], [4]]);
  const silent = ['operations', { t: 1, millis: 500, servers: [{ updates: null, reads: null }], samples: [] }];
  const none = after(['hello', HELLO], silent);
  assert.deepEqual([none.series.throughput, none.series.answer], [[null], [null]]);
});

test('a proof may be told before the first misdeed is', () => {
  const early = { ...line('proof', 0), since: null };
  const told = [{ ...line('corrupted', 0), since: null }, early, line('misdeed', 0)];
  const known = after(['hello', HELLO], ['attack', { ...ATTACK, detected: 0 }], ...told.map((one) => ['story', one]));
  const [, caught, verdict] = state.steps(known);
  assert.deepEqual([caught.state, caught.since, verdict.state], ['done', 0, 'pending']);
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
