// Puts the page together: events come in, the state changes, and what is seen follows, once for each frame.

import { Certificates, Lag } from './certificates.js';
import { Classes } from './classes.js';
import { byId, setAttribute, setText } from './dom.js';
import { count, millis, rate } from './format.js';
import { Guide } from './guide.js';
import { Harm } from './harm.js';
import { linksInWords, WorldMap } from './map.js';
import { Proofs } from './proofs.js';
import { EMPTY, rateOf, reduce } from './state.js';
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
  later();
}

function told(connection) {
  state = { ...state, connection };
  later();
}

/** Shows the state in the next frame, once for whatever came before it; at once where no frames come. */
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

const CONNECTION = { connecting: 'connecting', open: 'live', lost: 'connecting again', ended: 'ended' };

function showBar() {
  setText(byId('connection'), CONNECTION[state.connection]);
  setAttribute(byId('connection'), 'data-state', state.connection);
  for (const name of ['updates', 'reads', 'confirmed']) {
    setText(byId(`rate-${name}`), rate(rateOf(state, name)));
  }
  const newest = state.certificates.at(-1);
  setText(byId('newest-certificate'), newest ? `#${newest.number}` : count(null));
  if (state.hello) {
    const { title, topology, deployment } = state.hello;
    setText(byId('title'), state.ended ?? `${title} · f = ${deployment.f}, b = ${deployment.b}`);
    setText(byId('map-note'), linksInWords(topology.links));
  }
  const whole = state.lag?.steps.find((one) => one.step === 'whole');
  const lost = state.dropped > 0 ? ` · ${count(state.dropped)} events dropped` : '';
  setText(byId('lag-note'), `${whole ? `confirmed ${millis(whole.p50)} after the answer` : 'measured by every node'}${lost}`);
}

showSteps(state);
showLog(state);
listen(take, told);
