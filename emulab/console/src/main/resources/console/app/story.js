// The stages of an attack, what is spoken of it, and all lines below.

import { byId, el, keyed, setAttribute, setText } from './dom.js';
import { counted, millis, words } from './format.js';
import { newest, SPOKEN, steps } from './state.js';

const WAITING = {
  misdeed: 'the server waits for its first occasion to lie',
  caught: 'a client or another server compares what was signed, and finds a contradiction',
  verdict: 'a correct appserver judges the proof and tells the bftservers',
  excluded: 'enough bftservers sign a certificate that cuts the server off',
  recovered: 'its clients turn to other servers, and go back to certified values',
  whole: 'each update that was unconfirmed at the exclusion is confirmed by another server\'s certificate',
};

/** Kinds of lines whose names are not what people say. */
const KINDS = { rolledback: 'rolled back', whole: 'nothing lost', proof: 'proved' };

/** How many lines of a kind are told before the one that there are more. */
const TOLD = 3;

/** Milliseconds in one short line; the longest is "999 s". */
function sinceMisdeed(since) {
  return since < 59_950 ? millis(since) : `${Math.round(since / 1000)} s`;
}

const NEVER = 'may not come: this role leaves no certain proof';
const PROVEN = new Set(['verdict', 'excluded', 'whole']);

function waitingFor(step, sure) {
  return !sure && PROVEN.has(step.id) ? NEVER : WAITING[step.id];
}

/** Shows the stages of an attack, if there was one; the list has the same length at all times. */
export function showSteps(state) {
  const role = state.hello?.roles?.find((one) => one.name === state.attack?.role);
  byId('story').hidden = !state.attack;
  const all = steps(state);
  const next = state.attack ? all.find((step) => step.state !== 'done') : undefined;
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
        ? el('li', { class: 'empty', text: 'Nothing so far.' })
        : el(
            'li',
            { 'data-kind': line.kind },
            el('time', { text: `${(line.t / 1000).toFixed(1)} s` }),
            el('span', { class: 'kind', text: KINDS[line.kind] ?? words(line.kind) }),
            el('span', { class: 'what', text: line.text }),
          ),
    (item, line) => {
      if (line.seq !== 'none') {
        setText(item.querySelector('.what'), restOf(line, state.attack) ?? line.text);
      }
    },
  );
}

/** Of a kind only the first few lines are told, and then that there are more: how many, as the attack counts them by now. */
function restOf(line, attack) {
  if (!line.text.startsWith('...') || attack?.server !== line.server) {
    return null;
  }
  const rest = {
    switched: `and ${counted(Math.max(1, attack.switched - TOLD), 'more client')}: ${attack.switched} left in all`,
    revoked: `and more: ${counted(attack.revoked, 'update')} revoked in all`,
    rolledback: `and more: ${counted(attack.rolledBack, 'value')} back to certified in all`,
    resubmitted: `and more: ${counted(attack.resubmitted, 'update')} sent again in all`,
  };
  return rest[line.kind] ?? null;
}

/** Says a line to those who listen, if it is one that everybody should hear of. */
export function speak(line) {
  if (SPOKEN.has(line.kind)) {
    setText(byId('spoken'), line.text);
  }
}
