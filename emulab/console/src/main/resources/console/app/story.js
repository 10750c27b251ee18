// The stages of an attack, the event log, and the announcements for screen readers.

import { byId, el, keyed, setAttribute, setText } from './dom.js';
import { counted, millis, words } from './format.js';
import { newest, SPOKEN, steps } from './state.js';

const WAITING = {
  misdeed: 'the server waits for its first opportunity to misbehave',
  caught: 'a client or another server compares signed messages and finds a contradiction',
  verdict: 'a correct appserver judges the proof and tells the bftservers',
  excluded: 'enough bftservers sign a certificate that cuts the server off',
  recovered: 'its clients move to other servers and return to certified values',
  whole: 'each update that was unconfirmed at the exclusion is confirmed by another server\'s certificate',
};

/** Display names of the kinds that differ from their identifiers. */
const KINDS = { rolledback: 'rolled back', whole: 'nothing lost', proof: 'proved' };

/** How many lines of a kind are shown before the line that counts the others. */
const TOLD = 3;

/** Milliseconds in one short line; the longest is "999 s". */
function sinceMisdeed(since) {
  return since < 59_950 ? millis(since) : `${Math.round(since / 1000)} s`;
}

const NEVER = 'may not happen, because this role may leave no proof';
const PROVEN = new Set(['verdict', 'excluded', 'whole']);

function waitingFor(step, sure) {
  return !sure && PROVEN.has(step.id) ? NEVER : WAITING[step.id];
}

/** Shows the stages of an attack, if there was one. The list always has the same length. */
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
        ? el('li', { class: 'empty', text: 'No events yet.' })
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

/** The text of the line that stands for the further lines of a kind, with the current counts of the attack; null for other lines. */
function restOf(line, attack) {
  if (!line.text.startsWith('...') || attack?.server !== line.server) {
    return null;
  }
  const rest = {
    switched: `and ${counted(Math.max(1, attack.switched - TOLD), 'more client')}: ${attack.switched} left in all`,
    revoked: `and more: ${counted(attack.revoked, 'update')} revoked in all`,
    rolledback: `and more: ${counted(attack.rolledBack, 'value')} rolled back to certified in all`,
    resubmitted: `and more: ${counted(attack.resubmitted, 'update')} sent again in all`,
  };
  return rest[line.kind] ?? null;
}

/** Announces a line to screen readers if it is important enough. */
export function speak(line) {
  if (SPOKEN.has(line.kind)) {
    setText(byId('spoken'), line.text);
  }
}
