// The story of an attack in eight steps, what is spoken of it, and all lines below.

import { byId, el, keyed, setAttribute, setText } from './dom.js';
import { millis, words } from './format.js';
import { newest, SPOKEN, steps } from './state.js';

const WAITING = {
  misdeed: 'the first lie, told by the one who tells it',
  noticed: 'who saw it first',
  proof: 'signed words that contradict each other',
  verdict: 'a correct server finds it guilty',
  excluded: 'a certificate cuts it off',
  switched: 'clients go to other servers',
  rolledback: 'back to certified values',
  whole: 'every open update is confirmed after all',
};

/** Milliseconds in one short line; the longest is "999 s". */
function sinceMisdeed(since) {
  return since < 59_950 ? millis(since) : `${Math.round(since / 1000)} s`;
}

const NEVER = 'may not come: this role leaves no certain proof';
const PROVEN = new Set(['proof', 'verdict', 'excluded']);

function waitingFor(step, sure) {
  return !sure && PROVEN.has(step.id) ? NEVER : WAITING[step.id];
}

/** Shows the steps; the list has the same length at all times. */
export function showSteps(state) {
  const role = state.hello?.roles?.find((one) => one.name === state.attack?.role);
  const all = steps(state);
  const next = state.attack ? all.find((step) => step.state === 'pending') : undefined;
  keyed(
    byId('steps'),
    all,
    (step) => step.id,
    (step) => el('li', { class: 'step', 'data-id': step.id }, el('b'), el('span', { class: 'what' }), el('span', { class: 'when' })),
    (item, step) => {
      setAttribute(item, 'data-state', step.state);
      setText(item.querySelector('b'), step.label);
      setAttribute(item, 'data-next', step === next);
      setText(item.querySelector('.what'), step.text || waitingFor(step, role?.provable ?? true));
      setAttribute(item.querySelector('.what'), 'title', step.text || null);
      setText(item.querySelector('.when'), step.since === null ? '' : sinceMisdeed(step.since));
    },
  );
}

/** Shows all lines, newest first. */
export function showLog(state) {
  const log = byId('log');
  const lines = newest(state);
  keyed(
    log,
    lines.length > 0 ? lines : [{ seq: 'none' }],
    (line) => line.seq,
    (line) =>
      line.seq === 'none'
        ? el('li', { class: 'empty', text: 'Nothing went wrong so far.' })
        : el(
            'li',
            { 'data-kind': line.kind },
            el('time', { text: `${(line.t / 1000).toFixed(1)} s` }),
            el('span', { class: 'kind', text: words(line.kind) }),
            el('span', { class: 'what', text: line.text }),
          ),
    () => {},
  );
}

/** Says a line to those who listen, if it is one that everybody should hear of. */
export function speak(line) {
  if (SPOKEN.has(line.kind)) {
    setText(byId('spoken'), line.text);
  }
}
