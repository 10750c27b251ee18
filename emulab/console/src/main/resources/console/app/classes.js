// Client classes: a τ slider each, and the two lines that it moves.

import { el, keyed, setAttribute, setText, svg } from './dom.js';
import { count, counted, millis, percent, tau as tauText } from './format.js';
import { polyline, positionOf, roundUp, TAUS, tauAt } from './scale.js';
import { may, TICKS } from './state.js';

const WIDTH = 200;
const HEIGHT = 46;
const SETTLE = 250;
const HOLD = 3000;

const LINES = [
  { kind: 'waiting', name: 'Waiting', unit: 'updates wait for room in τ' },
  { kind: 'exposure', name: 'Exposure', unit: 'unconfirmed at one client, at most' },
];

/** The cards of all classes; `choose(class, tau)` sends a new τ. */
export class Classes {
  constructor(container, choose) {
    this.container = container;
    this.choose = choose;
    this.held = new Map();
  }

  show(state) {
    keyed(this.container, state.classes, (one) => one.id, (one) => this.make(one), (card, one) => this.update(card, one, state));
  }

  make(one) {
    const slider = el('input', {
      type: 'range',
      min: 0,
      max: TAUS.length - 1,
      step: 1,
      value: positionOf(one.tau),
      'aria-label': `τ of ${one.label} clients`,
      'data-class': one.id,
    });
    slider.addEventListener('input', () => this.moved(one.id, slider));
    return el(
      'section',
      { class: 'class', 'aria-label': `Clients: ${one.label}` },
      el('div', { class: 'class-head' }, el('h3', {}), el('output', {})),
      slider,
      el('div', { class: 'ends', 'aria-hidden': 'true' }, el('span', { text: '1 waits each time' }), el('span', { text: 'unbounded never waits' })),
      el('div', { class: 'lines' }, ...LINES.map(makeLine)),
      el('p', { class: 'note facts' }),
    );
  }

  /** Somebody moves a slider: shown at once, sent when it rests. */
  moved(id, slider) {
    const tau = tauAt(slider.valueAsNumber);
    clearTimeout(this.held.get(id)?.timer);
    const timer = setTimeout(() => this.choose(id, tau), SETTLE);
    this.held.set(id, { tau, timer, until: performance.now() + HOLD });
    showTau(slider, tau);
  }

  update(card, one, state) {
    const held = this.held.get(one.id);
    if (held && (held.tau === one.tau || performance.now() > held.until)) {
      this.held.delete(one.id);
    }
    const slider = card.querySelector('input');
    slider.disabled = !may(state, 'tau');
    if (!this.held.has(one.id)) {
      slider.value = String(positionOf(one.tau));
      showTau(slider, one.tau);
    }
    setText(card.querySelector('h3'), `${one.label} · ${counted(one.clients, 'client')}`);
    for (const { kind } of LINES) {
      updateLine(card.querySelector(`[data-kind=${kind}]`), one[kind], state.lines[`${one.id} ${kind}`] ?? []);
    }
    setText(card.querySelector('.facts'), facts(one));
  }
}

/** Shows a τ; undefined is a bound above 1 that nobody tells. Beside the slider is no room for "unbounded": a sign stands for it. */
function showTau(slider, tau) {
  const word = tau === undefined ? 'more than 1' : tauText(tau);
  const sign = tau === undefined ? '> 1' : `= ${tau === null ? '∞' : word}`;
  setAttribute(slider, 'aria-valuetext', word);
  setText(slider.parentElement.querySelector('output'), `τ ${sign}`);
}

function facts(one) {
  const parts = [
    one.answerMillis === null ? null : `an update takes ${millis(one.answerMillis)}`,
    one.waited === null ? null : `${percent(one.waited)} waited`,
    `${count(one.unconfirmed)} unconfirmed in all`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function makeLine({ kind, name, unit }) {
  return el(
    'div',
    { class: 'line', 'data-kind': kind, title: unit },
    el('p', { class: 'line-head' }, el('span', { text: name }), el('b')),
    svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
      svg('polygon'),
      svg('polyline'),
    ),
    el('span', { class: 'top' }),
  );
}

function updateLine(line, value, values) {
  const top = roundUp(Math.max(...values, 1), 5);
  const points = polyline(values, TICKS, top, WIDTH, HEIGHT);
  const left = points.split(',')[0];
  setText(line.querySelector('b'), count(value));
  setText(line.querySelector('.top'), `0 to ${count(top)}`);
  line.querySelector('polyline').setAttribute('points', points);
  line.querySelector('polygon').setAttribute('points', points && `${left},${HEIGHT} ${points} ${WIDTH},${HEIGHT}`);
}
