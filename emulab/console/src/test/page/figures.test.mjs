import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as format from '../../main/resources/console/app/format.js';
import { apart, curves, dotsFor, isCut, placed, sideOf } from '../../main/resources/console/app/places.js';
import { along, FRAME, project } from '../../main/resources/console/app/projection.js';
import { area, line, positionOf, roundUp, steadyTop, TAUS, tauAt } from '../../main/resources/console/app/scale.js';

test('lengths of time', () => {
  const written = [0, 0.15, 72.4, 999, 1015, 12_345, 125_000, null].map(format.millis);
  assert.deepEqual(written, ['0 ms', '0.2 ms', '72 ms', '999 ms', '1.01 s', '12.3 s', '2 min 5 s', format.NONE]);
});

test('counts, short counts, rates', () => {
  assert.equal(format.count(12345), '12,345');
  assert.deepEqual([999, 12_345, 4_500_000, 999_999].map(format.short), ['999', '12.3k', '4.5M', '1.0M']);
  assert.equal(format.rate(3.14), '3.1/s');
  assert.equal(format.rate(null), format.NONE);
  assert.equal(format.counted(1, 'client'), '1 client');
  assert.equal(format.counted(0, 'client'), '0 clients');
});

test('names and hashes', () => {
  assert.equal(format.words('FORKED_ENTRIES'), 'forked entries');
  assert.equal(format.hash('0123456789abcdef'), '0123456789ab…');
  assert.equal(format.tau(null), 'unbounded');
});

test('every step of the slider comes back, and other τ go to the nearest', () => {
  TAUS.forEach((tau, i) => assert.equal(positionOf(tau), i));
  assert.equal(tauAt(positionOf(16)), 20);
  assert.equal(tauAt(positionOf(900_000)), 10_000);
  assert.equal(tauAt(-5), 1);
  assert.equal(tauAt(99), null);
});

test('round numbers above', () => {
  assert.deepEqual([0, 3, 5, 6, 10, 11, 480].map((value) => roundUp(value, 5)), [5, 5, 5, 10, 10, 20, 500]);
});

test('a line ends at the right edge, and no value leaves the picture', () => {
  assert.equal(line([0, 10, 99], 3, 10, 100, 40), 'M0,40L50,0L100,0');
  assert.equal(line([10], 3, 10, 100, 40), 'M100,0h0');
  assert.equal(line([], 3, 10, 100, 40), '');
  assert.equal(area([0, 10, 99], 3, 10, 100, 40), 'M0,40L0,40L50,0L100,0L100,40z');
});

test('where no value is known the line has a gap, and does not go down to 0', () => {
  assert.equal(line([5, null, null, 5, 10], 5, 10, 100, 40), 'M0,20h0M75,20L100,0');
  assert.equal(line([null, null], 5, 10, 100, 40), '');
  assert.equal(area([null, 5], 2, 10, 100, 40), 'M100,40L100,20L100,40z');
});

test('a scale stands still while values move below its top', () => {
  const tops = [[3], [9], [12], [50], [11], [10]].reduce((all, values) => [...all, steadyTop(all.at(-1) ?? 10, values, 10)], []);
  assert.deepEqual(tops, [10, 10, 20, 50, 50, 10]);
  assert.equal(steadyTop(10, [null, null], 10), 10);
});

test('the map has the equator and Greenwich where they are', () => {
  const [x, y] = project(0, 0);
  assert.equal(x, FRAME.width / 2);
  assert.ok(y > FRAME.height / 2 && y < FRAME.height);
  assert.ok(project(53, 0)[1] < y);
});

test('sites without places on the earth all fit on the map', () => {
  const sites = placed([{ name: 'a', latitude: null, longitude: null }, { name: 'b', latitude: 1, longitude: 1 }]);
  assert.ok(sites.every((site) => !site.earth && site.x > 0 && site.x < FRAME.width && site.y > 0 && site.y < FRAME.height));
});

test('a link begins and ends at its sites', () => {
  const sites = placed([{ name: 'a', latitude: 10, longitude: 10 }, { name: 'b', latitude: 40, longitude: 90 }]);
  const [link] = curves([{ from: 'a', to: 'b', oneWayMillis: 5 }, { from: 'a', to: 'a' }, { from: 'a', to: 'gone' }], sites);
  assert.deepEqual(along(link.a, link.control, link.b, 0), [sites[0].x, sites[0].y]);
  assert.deepEqual(along(link.a, link.control, link.b, 1), [sites[1].x, sites[1].y]);
});

test('names do not lie over a near site', () => {
  const sites = [{ x: 150, y: 110 }, { x: 290, y: 90 }, { x: 900, y: 90 }];
  assert.deepEqual(sites.map((site) => sideOf(site, sites)), ['below', 'right', 'left']);
});

test('a partition cuts groups from each other and from nobody else', () => {
  const groups = apart([{ name: 'a' }, { name: 'b' }, { name: 'c' }], 'b');
  assert.deepEqual(groups, [['b'], ['a', 'c']]);
  assert.ok(isCut(groups, 'a', 'b'));
  assert.ok(!isCut(groups, 'a', 'c'));
  assert.ok(!isCut([['a'], ['b']], 'a', 'c'));
  assert.ok(!isCut(null, 'a', 'b'));
});

test('dots are few, and none only for nothing', () => {
  assert.deepEqual([0, 1, 9, 1000].map(dotsFor), [0, 1, 2, 4]);
});
