// Puts the page together: events change the state, and the page shows the new state once for each frame.

import { Certificates, Lag } from './certificates.js';
import { Classes } from './classes.js';
import { byId, setAttribute, setText } from './dom.js';
import { count, millis, rate } from './format.js';
import { Guide } from './guide.js';
import { Harm } from './harm.js';
import { linksInWords, WorldMap } from './map.js';
import { Proofs } from './proofs.js';
import { line, steadyTop } from './scale.js';
import { EMPTY, offers, rateOf, reduce, TICKS } from './state.js';
import { showLog, showSteps, speak } from './story.js';
import { act, listen } from './stream.js';
import { bindTheme } from './theme.js';
import { Values } from './values.js';

let state = EMPTY;
let waiting = false;

bindTheme();
const guide = new Guide();
const harm = new Harm(act, (name) => name === 'corrupt' && guide.did('corrupt'));
const map = new WorldMap(byId('map'), pick);
const classes = new Classes(byId('classes'), chooseTau);
const values = new Values(byId('values'));
const proofs = new Proofs(() => state, () => guide.did('verify'));
const certificates = new Certificates(byId('certificates'), (one) => proofs.verifyCertificate(one));
const lag = new Lag(byId('lag'));

/** Picking a site picks its appserver, or else its first node. */
function pick(site) {
  const here = state.nodes.filter((node) => node.site === site.name);
  const node = here.find((one) => one.name.startsWith('appserver-')) ?? here[0];
  if (node) {
    harm.pick(node.name);
    later();
  }
}

async function chooseTau(id, tau) {
  try {
    harm.say(await act('tau', { class: id, tau }), 'taken');
    guide.did('tau');
  } catch (problem) {
    harm.say(problem.message, 'refused');
  }
}

function take(name, data) {
  state = reduce(state, name, data);
  if (name === 'nodes') {
    map.flow(state);
  }
  if (name === 'operations') {
    map.calls(state);
  }
  if (name === 'story') {
    speak(data);
  }
  if (name === 'hello') {
    guide.offer(offers(state, 'tau') && offers(state, 'corrupt'));
  }
  later();
}

function told(connection) {
  state = { ...state, connection };
  later();
}

/** Shows the state in the next frame, once for all events before it. A hidden page gets no frames, so a timer does it there. */
function later() {
  if (!waiting) {
    waiting = true;
    if (document.hidden) {
      setTimeout(show, 250);
    } else {
      requestAnimationFrame(show);
    }
  }
}

function show() {
  waiting = false;
  showBar();
  map.show(state, harm.target);
  classes.show(state);
  harm.show(state);
  showSteps(state);
  proofs.show(state);
  values.show(state);
  certificates.show(state);
  lag.show(state.lag);
  showLog(state);
}

const CONNECTION = { connecting: 'connecting', open: 'live', lost: 'reconnecting', ended: 'ended' };

function showBar() {
  setText(byId('connection'), CONNECTION[state.connection]);
  setAttribute(byId('connection'), 'data-state', state.connection);
  setText(byId('rate-confirmed'), rate(rateOf(state, 'confirmed')));
  showSparks();
  const newest = state.certificates.at(-1);
  setText(byId('newest-certificate'), newest ? `#${newest.number}` : count(null));
  if (state.hello) {
    const { title, topology, deployment } = state.hello;
    setText(byId('title'), state.ended ?? `${title} · f = ${deployment.f}, b = ${deployment.b}`);
    showMode(state.hello.mode === 'demo');
    setText(byId('map-note'), linksInWords(topology, !state.hello.readOnly));
  }
  const whole = state.series.lag.at(-1) ?? null;
  const lost = state.dropped > 0 ? ` ${count(state.dropped)} events were dropped.` : '';
  const figure = whole === null ? noLag(state.lag) : `An update is confirmed ${millis(whole)} after its answer, on average.`;
  setText(byId('lag-note'), `${figure}${lost}`);
}

/** Hides the figures that a deployment does not report, instead of leaving them empty. */
function showMode(demo) {
  setAttribute(document.documentElement, 'data-mode', state.hello.mode);
  setText(byId('throughput-of'), demo ? 'Reads and updates' : 'Updates');
  byId('spark-answer').parentElement.hidden = !demo;
  byId('rate-confirmed').parentElement.hidden = !demo;
  if (!demo && state.keys.length === 0) {
    setText(byId('values-note'), 'No keys are watched: aspas console DIR --watch KEY shows their values.');
  }
}

/** The note when there is no figure: either nothing was measured yet, or no update was confirmed. */
function noLag(lag) {
  return lag ? `No update was confirmed in the last ${Math.round(lag.windowMillis / 1000)} s.` : 'Waiting for measurements by the nodes.';
}

/** The charts in the header; `ticks` is their number of points, and `slow` that number in a demo for figures sent once a second. */
const SPARKS = [
  { name: 'throughput', least: 10, ticks: TICKS, write: rate },
  { name: 'answer', least: 10, ticks: TICKS, write: millis },
  { name: 'lag', least: 100, ticks: TICKS, slow: TICKS / 2, write: millis },
];
const tops = {};

function showSparks() {
  for (const { name, least, ticks: all, slow, write } of SPARKS) {
    const ticks = (state.hello?.mode === 'demo' && slow) || all;
    const values = state.series[name].slice(-ticks);
    tops[name] = steadyTop(tops[name] ?? least, values, least);
    setText(byId(`spark-${name}`).querySelector('b'), write(values.at(-1) ?? null));
    byId(`spark-${name}`).querySelector('path').setAttribute('d', line(values, ticks, tops[name], 100, 22));
    setAttribute(byId(`spark-${name}`), 'title', `${state.hello?.mode === 'demo' ? 'The last minute' : 'The last two minutes'}, from 0 to ${write(tops[name])}`);
  }
}

showSteps(state);
showLog(state);
listen(take, told);
