// The first steps of a newcomer: move a τ, corrupt a site, verify its proof.

import { byId, setAttribute } from './dom.js';

const STEPS = [
  { name: 'tau', card: 'clients-card', focus: () => document.querySelector('#classes input') },
  { name: 'corrupt', card: 'attack-card', focus: () => byId('corrupt') },
  { name: 'verify', card: 'attack-card', focus: () => byId('verify') },
];
const HIDDEN = 'aspas-guide-hidden';

/** Shows the steps until the user hides them, and marks those that are done. */
export class Guide {
  constructor() {
    this.finished = new Set();
    this.panel = byId('guide');
    this.panel.hidden = read(HIDDEN) === 'yes';
    byId('guide-close').addEventListener('click', () => this.hide(true));
    byId('guide-open').addEventListener('click', () => this.hide(!this.panel.hidden));
    STEPS.forEach((step) => byId(`guide-${step.name}`).firstElementChild.addEventListener('click', () => point(step)));
    this.show();
  }

  hide(hidden) {
    this.panel.hidden = hidden;
    write(HIDDEN, hidden ? 'yes' : 'no');
    if (hidden) {
      byId('guide-open').focus();
    }
    setAttribute(byId('guide-open'), 'aria-expanded', String(!hidden));
  }

  /** Shows or hides the whole guide: a console that offers none of the steps has no use for it. */
  offer(possible) {
    byId('guide-open').hidden = !possible;
    this.panel.hidden = !possible || read(HIDDEN) === 'yes';
  }

  /** Marks a step as done. */
  did(name) {
    this.finished.add(name);
    this.show();
  }

  show() {
    const next = STEPS.find((step) => !this.finished.has(step.name));
    for (const step of STEPS) {
      const item = byId(`guide-${step.name}`);
      const state = this.finished.has(step.name) ? 'done' : step === next ? 'next' : 'later';
      setAttribute(item, 'data-state', state);
      setAttribute(item, 'aria-current', state === 'next' ? 'step' : null);
    }
    setAttribute(byId('guide-open'), 'aria-expanded', String(!this.panel.hidden));
  }
}

/** Moves the focus to the control of a step. */
function point(step) {
  const card = document.querySelector(`.${step.card}`);
  document.querySelectorAll('.pointed').forEach((other) => other.classList.remove('pointed'));
  card.classList.add('pointed');
  setTimeout(() => card.classList.remove('pointed'), 4000);
  const wanted = step.focus();
  const focus = wanted && !wanted.disabled ? wanted : card.querySelector('h2');
  focus.scrollIntoView({ block: 'center' });
  focus.focus({ preventScroll: true });
}

// If the browser refuses storage, the steps are shown again next time.
function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Only the choice to hide the steps is lost.
  }
}
