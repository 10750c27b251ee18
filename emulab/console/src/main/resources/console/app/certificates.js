// The newest certificates, and the lag step by step.

import { el, keyed, setAttribute, setText, svg } from './dom.js';
import { count, millis, short } from './format.js';

const WIDTH = 200;

/** The newest certificates; `verify(certificate)` runs when one is picked. */
export class Certificates {
  constructor(list, verify) {
    this.list = list;
    this.verify = verify;
  }

  /** Shows the certificates; the list does not move while the pointer or the focus is on it. */
  show(state) {
    if (this.list.matches(':hover, :focus-within')) {
      return;
    }
    const shown = state.certificates.slice(-16);
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

/** The explanation of each step of the lag, by the step's name in the event. */
const MEANING = {
  broadcast: 'The server that answered tells the other appservers that it has the update.',
  reported: 'It reports to the bftservers what it has received.',
  asked: 'The bftservers ask all appservers for a state that covers the update.',
  stable: 'The server answers that it holds this state.',
  certified: 'The bftservers agree on it, and enough of them sign the certificate.',
  confirmed: 'The server sends its client the certificate.',
  question: 'From one certificate to the next question; it takes long when there is nothing to certify.',
  decided: 'Enough appservers have answered.',
  accepted: 'Enough bftservers accept the decision; this takes no time if all answers were equal.',
  committed: 'Enough bftservers commit to the decision.',
  signed: 'A bftserver signs the accepted state.',
  ordered: 'The ordering service orders one command of a bftserver.',
};

const TABLES = [
  { seenBy: 'appserver', title: 'From the answer to the confirmation, one step after the other', sum: true },
  { seenBy: 'bftserver', title: 'Among the bftservers, within the steps from asked to certified' },
];

/** The lag, step by step. The steps that appservers see follow one another and add up; those of bftservers lie within them. */
export class Lag {
  constructor(container) {
    this.bodies = TABLES.map(() => el('tbody'));
    container.append(...TABLES.map(({ title }, i) => table(title, this.bodies[i])));
  }

  show(lag) {
    if (!lag) {
      return;
    }
    TABLES.forEach(({ seenBy, sum }, i) => {
      const steps = lag.steps.filter((one) => one.seenBy === seenBy && (sum || one.step !== 'whole'));
      keyed(this.bodies[i], spans(steps), (one) => one.step, makeStep, updateStep);
    });
  }
}

function table(title, body) {
  return el(
    'table',
    { class: 'lag-table' },
    el('caption', { text: title }),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { scope: 'col', text: 'Step' }),
        el('th', { scope: 'col', class: 'figure', text: 'mean' }),
        el('th', { scope: 'col', class: 'figure', text: '99 % below' }),
      ),
    ),
    body,
  );
}

/** Adds to each step where it begins and how long it is, as fractions of the longest. Steps of appservers follow one another. */
function spans(steps) {
  const longest = Math.max(...steps.map((one) => one.mean ?? 0), 1);
  let at = 0;
  return steps.map((one) => {
    const long = Math.min(1, (one.mean ?? 0) / longest);
    const begin = one.seenBy === 'appserver' && one.step !== 'whole' ? Math.min(at, 1 - long) : 0;
    at = begin + long;
    return { ...one, begin, long };
  });
}

function makeStep(one) {
  const whole = one.step === 'whole';
  return el(
    'tr',
    { 'data-seen': one.seenBy, class: whole ? 'whole' : false },
    el(
      'th',
      { scope: 'row' },
      el('b', { text: whole ? 'the sum' : one.label }),
      MEANING[one.step] ? el('small', { text: MEANING[one.step] }) : null,
      svg(
        'svg',
        { viewBox: `0 0 ${WIDTH} 10`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
        svg('rect', { class: 'ground', y: 4, width: WIDTH, height: 2 }),
        svg('rect', { class: 'bar-span', height: 10 }),
      ),
    ),
    el('td', { class: 'mean' }),
    el('td', { class: 'p99' }),
  );
}

/** Formats a duration. The server sends one decimal place, so 0 means less than 0.1 ms. */
function least(value) {
  return value === 0 ? '< 0.1 ms' : millis(value);
}

function updateStep(row, one) {
  const bar = row.querySelector('.bar-span');
  setAttribute(bar, 'x', Math.round(one.begin * WIDTH));
  setAttribute(bar, 'width', one.mean === null ? 0 : Math.max(1, Math.round(one.long * WIDTH)));
  setText(row.querySelector('.mean'), least(one.mean));
  setText(row.querySelector('.p99'), least(one.p99));
}
