// Certificates as they come, and where the lag goes, step by step.

import { el, keyed, setAttribute, setText, svg } from './dom.js';
import { count, millis, short } from './format.js';

const WIDTH = 200;

/** The newest certificates; `verify(certificate)` runs when one is picked. */
export class Certificates {
  constructor(list, verify) {
    this.list = list;
    this.verify = verify;
  }

  /** They stand still while somebody points at one or has the focus there. */
  show(state) {
    if (this.list.matches(':hover, :focus-within')) {
      return;
    }
    const shown = state.certificates.slice(-8);
    keyed(this.list, shown, (one) => one.number, (one) => this.make(one), (item, one) => {
      setAttribute(item, 'data-cuts', one.cuts.length > 0);
    });
  }

  make(one) {
    const cuts = one.cuts.map((server) => `cuts off ${server}`).join(', ');
    const label = `Certificate ${one.number}, first at ${one.by}, ${count(one.covered)} new entries${cuts && `, ${cuts}`}. Verify it`;
    return el(
      'li',
      {},
      el(
        'button',
        { type: 'button', title: label, 'aria-label': label, onclick: () => this.verify(one) },
        el('b', { text: `#${one.number}` }),
        el('span', { text: `+${short(one.covered)}` }),
        el('span', { text: cuts ? 'cuts' : '✓' }),
      ),
    );
  }
}

/** The lag: the steps of appservers as spans that follow on each other, those of bftservers below. */
export class Lag {
  constructor(container) {
    this.rows = el('tbody');
    container.append(
      el(
        'table',
        { class: 'lag-table' },
        el('caption', { class: 'unseen', text: 'Lag by step in milliseconds' }),
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('th', { scope: 'col', text: 'Step' }),
            el('th', { scope: 'col', class: 'span', text: 'medians in a row' }),
            el('th', { scope: 'col', class: 'figure', text: 'p50' }),
            el('th', { scope: 'col', class: 'figure', text: 'p99' }),
          ),
        ),
        this.rows,
      ),
    );
  }

  show(lag) {
    if (lag) {
      keyed(this.rows, spans(lag.steps), (one) => one.step, makeStep, updateStep);
    }
  }
}

/**
 * The steps with where each begins and how long it is, as parts of the whole. Steps of appservers follow on each other; those of
 * bftservers lie within, and begin at 0.
 */
function spans(steps) {
  const follow = steps.filter((one) => one.seenBy === 'appserver' && one.step !== 'whole');
  const sum = follow.reduce((total, one) => total + (one.p50 ?? 0), 0);
  const longest = Math.max(sum, ...steps.map((one) => one.p50 ?? 0), 1);
  let at = 0;
  return steps.map((one) => {
    const long = (one.p50 ?? 0) / longest;
    const begin = follow.includes(one) ? at / longest : 0;
    at += follow.includes(one) ? (one.p50 ?? 0) : 0;
    return { ...one, begin, long };
  });
}

function makeStep(one) {
  return el(
    'tr',
    { 'data-seen': one.seenBy, class: one.step === 'whole' ? 'whole' : false },
    el('th', { scope: 'row' }),
    el(
      'td',
      { class: 'span' },
      svg(
        'svg',
        { viewBox: `0 0 ${WIDTH} 10`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
        svg('rect', { class: 'ground', y: 4, width: WIDTH, height: 2 }),
        svg('rect', { class: 'bar-span', height: 10 }),
      ),
    ),
    el('td', { class: 'p50' }),
    el('td', { class: 'p99' }),
  );
}

function updateStep(row, one) {
  setText(row.querySelector('th'), one.label);
  const bar = row.querySelector('.bar-span');
  setAttribute(bar, 'x', Math.round(one.begin * WIDTH));
  setAttribute(bar, 'width', Math.max(1, Math.round(one.long * WIDTH)));
  setText(row.querySelector('.p50'), millis(one.p50));
  setText(row.querySelector('.p99'), millis(one.p99));
}
