// Client classes, each with a τ slider and the two charts that it affects.

import { el, keyed, setAttribute, setText, svg } from './dom.js';
import { count, counted, millis, percent, tau as tauText } from './format.js';
import { area, line, positionOf, steadyTop, TAUS, tauAt } from './scale.js';
import { answerOf, may, offers, TICKS } from './state.js';

const WIDTH = 200;
const HEIGHT = 46;
const SETTLE = 250;
const HOLD = 3000;

const LINES = [
  { kind: 'waiting', name: 'updates waiting', about: 'Updates that wait for room in the window of τ, or with τ = 1 for their own confirmation.' },
  { kind: 'exposure', name: 'updates exposed', about: 'The most unconfirmed updates of any one client, all of which it could lose with its server.' },
];
const LEAST_TOP = 10;

/** The cards of all classes; `choose(class, tau)` sends a new τ. */
export class Classes {
  constructor(container, choose) {
    this.container = container;
    this.choose = choose;
    this.held = new Map();
    this.tops = {};
  }

  show(state) {
    // One scale for all classes, so that they can be compared.
    for (const { kind } of LINES) {
      const values = state.classes.flatMap((one) => state.lines[`${one.id} ${kind}`] ?? []);
      this.tops[kind] = steadyTop(this.tops[kind] ?? LEAST_TOP, values, LEAST_TOP);
    }
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
      el('div', { class: 'ends', 'aria-hidden': 'true' }, el('span', { text: '1: every update waits' }), el('span', { text: 'unbounded: none waits' })),
      el('div', { class: 'lines' }, ...LINES.map(makeLine)),
      el('p', { class: 'note facts' }),
    );
  }

  /** Handles a move of a slider: shows the new τ at once and sends it when the slider rests. */
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
    slider.hidden = !offers(state, 'tau');
    card.querySelector('.ends').hidden = slider.hidden;
    if (!this.held.has(one.id)) {
      slider.value = String(positionOf(one.tau));
      showTau(slider, one.tau);
    }
    setText(card.querySelector('h3'), `${one.label} · ${counted(one.clients, 'client')}`);
    for (const { kind } of LINES) {
      updateLine(card.querySelector(`[data-kind=${kind}]`), one[kind], state.lines[`${one.id} ${kind}`] ?? [], this.tops[kind], state.hello.mode);
    }
    setText(card.querySelector('.facts'), facts(one, answerOf(state, one.id)));
  }
}

/** Shows a τ; undefined means an unknown bound above 1. There is no room for "unbounded" beside the slider, so a sign replaces it. */
function showTau(slider, tau) {
  const word = tau === undefined ? 'more than 1' : tauText(tau);
  const sign = tau === undefined ? '> 1' : `= ${tau === null ? '∞' : word}`;
  setAttribute(slider, 'aria-valuetext', word);
  setText(slider.parentElement.querySelector('output'), `τ ${sign}`);
}

function facts(one, answer) {
  const parts = [
    answer === null ? null : `an update takes ${millis(answer)}`,
    one.waited === null ? null : `${percent(one.waited)} waited`,
    one.unconfirmed === null ? null : `${count(one.unconfirmed)} unconfirmed in all`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function makeLine({ kind, name, about }) {
  return el(
    'div',
    { class: 'line', 'data-kind': kind, title: about },
    el('p', { class: 'line-head' }, el('b'), el('span', { text: name })),
    el(
      'div',
      { class: 'plot', 'aria-hidden': 'true' },
      el('span', { class: 'tick top' }),
      el('span', { class: 'tick half' }),
      el('span', { class: 'tick bottom', text: '0' }),
      svg(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', focusable: 'false' },
        svg('path', { class: 'half-line', d: `M0,${HEIGHT / 2}H${WIDTH}` }),
        svg('path', { class: 'area' }),
        svg('path', { class: 'stroke' }),
      ),
      el('span', { class: 'tick from' }),
      el('span', { class: 'tick now', text: 'now' }),
    ),
  );
}

function updateLine(chart, value, values, top, mode) {
  chart.hidden = values.every((one) => one === null); // A deployment does not report it.
  setText(chart.querySelector('b'), count(value));
  setText(chart.querySelector('.from'), mode === 'demo' ? '60 s ago' : '2 min ago'); // The console asks a deployment once a second.
  setText(chart.querySelector('.top'), count(top));
  setText(chart.querySelector('.half'), count(top / 2));
  chart.querySelector('.area').setAttribute('d', area(values, TICKS, top, WIDTH, HEIGHT));
  chart.querySelector('.stroke').setAttribute('d', line(values, TICKS, top, WIDTH, HEIGHT));
}
