// The state of the page: a pure function of the received events. Nothing here touches the document or the network.

import { counted, millis } from './format.js';

/** How many values a line shows: a minute of ticks of 500 ms. */
export const TICKS = 120;
const CERTIFICATES = 20;
const STORY = 200;
const MOMENTS = 20;
/** Over how many ticks a figure is averaged that would otherwise jump from tick to tick. */
const STEADY = 10;

/** The state before the first event. */
export const EMPTY = Object.freeze({
  connection: 'connecting',
  hello: null,
  t: 0,
  nodes: [],
  moved: [],
  gaps: {},
  classes: [],
  lines: {},
  operations: null,
  rates: [],
  samples: [],
  series: { throughput: [], answer: [], lag: [] },
  answers: {},
  keys: [],
  met: {},
  marks: {},
  certificates: [],
  lag: null,
  story: [],
  proofs: [],
  attack: null,
  partition: null,
  dropped: 0,
  ended: null,
});

const push = (list, value, most) => [...list.slice(Math.max(0, list.length + 1 - most)), value];

/** Appends this tick's value to each named line; lines that are not named are dropped. */
function extend(lines, values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, push(lines[name] ?? [], value, TICKS)]));
}

const handlers = {
  hello: (state, data) => {
    const begun = { ...EMPTY, connection: 'open', hello: data, t: data.t, dropped: state.dropped };
    return {
      ...['nodes', 'classes', 'values'].reduce((next, name) => replay(next, name, data), begun),
      certificates: (data.certificates ?? []).reduce(withCertificate, []),
      lag: data.lag ?? null,
      series: { ...EMPTY.series, lag: data.lag ? [wholeOf(data.lag)] : [] },
      story: (data.story ?? []).slice(-STORY),
      proofs: data.proofs ?? [],
      attack: data.attack ?? null,
      partition: groupsOf(data.partition),
    };
  },
  nodes: (state, data) => ({
    ...state,
    nodes: data.nodes,
    moved: movements(state.nodes, data.nodes),
    gaps: extend(
      state.gaps,
      Object.fromEntries(data.nodes.filter((node) => node.delivered !== null).map((node) => [node.name, gapOf(node)])),
    ),
  }),
  operations: (state, data) => {
    const rates = push(state.rates, totals(data), STEADY);
    const samples = push(state.samples, (data.samples ?? []).filter((one) => one.kind === 'update').map((one) => one.millis), STEADY);
    const next = { ...state, operations: data, rates, samples };
    const known = [rateOf(next, 'updates'), rateOf(next, 'reads')].filter((one) => one !== null);
    return withPoints(next, {
      throughput: known.length === 0 ? null : known.reduce((sum, one) => sum + one),
      answer: median(samples.flat()),
    });
  },
  classes: (state, data) => ({
    ...state,
    classes: data.classes,
    lines: extend(
      state.lines,
      Object.fromEntries(
        data.classes.flatMap((one) => [
          [`${one.id} waiting`, one.waiting ?? null],
          [`${one.id} exposure`, one.exposure ?? null],
        ]),
      ),
    ),
    answers: Object.fromEntries(
      data.classes.map((one) => [one.id, push(state.answers[one.id] ?? [], { answered: one.answered ?? 0, millis: one.answerMillis ?? 0 }, 2 * STEADY)]),
    ),
  }),
  values: (state, data) => ({ ...state, keys: data.keys, ...meetings(state, data.keys) }),
  certificate: (state, data) => ({ ...state, certificates: withCertificate(state.certificates, data) }),
  lag: (state, data) => withPoints({ ...state, lag: data }, { lag: wholeOf(data) }),
  story: (state, data) => ({ ...state, story: push(state.story, data, STORY) }),
  proof: (state, data) => ({ ...state, proofs: [...state.proofs.filter((one) => one.hash !== data.hash), data] }),
  attack: (state, data) => ({ ...state, attack: data }),
  partition: (state, data) => ({ ...state, partition: groupsOf(data) }),
  dropped: (state, data) => ({ ...state, dropped: state.dropped + data.count }),
  end: (state, data) => ({ ...state, connection: 'ended', ended: data.text }),
};

/** The names of the events that the page listens to. */
export const EVENTS = Object.keys(handlers);

/** Returns the state after an event; unknown events change nothing. */
export function reduce(state, name, data) {
  const handler = handlers[name];
  if (!handler) {
    return state;
  }
  const next = handler(state, data);
  return typeof data.t === 'number' ? { ...next, t: data.t } : next;
}

function replay(state, name, data) {
  const content = name === 'values' ? { keys: data.keys ?? [] } : { [name]: data[name] ?? [] };
  return handlers[name](state, content);
}

/** Adds a certificate, with `cuts`: the servers that it cuts off and the one before did not. */
function withCertificate(known, certificate) {
  const before = (known.at(-1)?.exclusions ?? []).map(({ server }) => server);
  const cuts = known.length === 0 ? [] : certificate.exclusions.map(({ server }) => server).filter((server) => !before.includes(server));
  return push(known, { ...certificate, cuts }, CERTIFICATES);
}

function withPoints(state, points) {
  const added = Object.entries(points).map(([name, value]) => [name, push(state.series[name], value, TICKS)]);
  return { ...state, series: { ...state.series, ...Object.fromEntries(added) } };
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted.length === 0 ? null : sorted[Math.floor(sorted.length / 2)];
}

/** The mean time from an answer to its confirmation, or null if nothing was confirmed in the window. */
export function wholeOf(lag) {
  const whole = lag?.steps.find((one) => one.step === 'whole');
  return whole && whole.count > 0 ? whole.mean : null;
}

/** The mean time from an update of a class to its answer over the last few seconds; null if no update was answered. */
export function answerOf(state, id) {
  const known = state.answers[id] ?? [];
  const answered = known.reduce((sum, one) => sum + one.answered, 0);
  return answered === 0 ? null : known.reduce((sum, one) => sum + one.answered * one.millis, 0) / answered;
}

function groupsOf(data) {
  return Array.isArray(data) ? data : (data?.groups ?? null);
}

function totals(data) {
  const sum = (name) =>
    data.servers.some((one) => one[name] !== null) ? data.servers.reduce((total, one) => total + (one[name] ?? 0), 0) : null;
  return { millis: data.millis, updates: sum('updates'), reads: sum('reads'), confirmed: sum('confirmed'), failed: sum('failed') };
}

/** Operations per second over the last few ticks; `name` is updates, reads, confirmed or failed. Null without a figure. */
export function rateOf(state, name) {
  const known = state.rates.filter((one) => one[name] !== null && one.millis > 0);
  const millis = known.reduce((sum, one) => sum + one.millis, 0);
  return millis === 0 ? null : (known.reduce((sum, one) => sum + one[name], 0) * 1000) / millis;
}

/** The number of a server's entries that its newest certificate does not cover. */
export function gapOf(node) {
  return node.delivered === null || node.certified === null ? null : Math.max(0, node.delivered - node.certified);
}

/**
 * The movements since the previous tick: `to` delivered `entries` from the log of `from`, and `certificate` is true where a server has
 * received a newer certificate.
 */
export function movements(before, after) {
  const origins = after.filter((node) => node.name.startsWith('appserver-')).map((node) => node.name);
  const known = new Map(before.map((node) => [node.name, node]));
  return after.flatMap((node) => {
    const old = known.get(node.name);
    if (!old || !node.version || !old.version) {
      return [];
    }
    const grown = node.version.map((size, i) => ({ from: `appserver-${i}`, to: node.name, entries: size - (old.version[i] ?? size) }));
    const certificate = node.certificate !== null && old.certificate !== null && node.certificate > old.certificate;
    return [
      ...grown.filter((one) => one.entries > 0 && one.from !== one.to && origins.includes(one.from)),
      ...(certificate ? [{ to: node.name, certificate: true }] : []),
    ];
  });
}

// ---- Values ----

/** The local value minus the certified one; null if one of them is unknown. */
export function distance(cell) {
  if (cell.error || cell.local === null || cell.certified === null || cell.local === undefined || cell.certified === undefined) {
    return null;
  }
  try {
    return Number(BigInt(cell.local) - BigInt(cell.certified));
  } catch {
    return JSON.stringify(cell.local) === JSON.stringify(cell.certified) ? 0 : null;
  }
}

/**
 * Counts how often the certified value of each key has caught up with the local one at each server. The local value keeps changing, so
 * one is noted. When the certified value reaches or passes it, that counts as a meeting, and the next local value is noted.
 */
function meetings(state, keys) {
  const met = { ...state.met };
  const marks = { ...state.marks };
  for (const { key, servers } of keys) {
    for (const cell of servers.filter((one) => distance(one) !== null)) {
      const name = `${cell.server} ${key}`;
      const mark = marks[name];
      const meets = distance(cell) === 0 || (mark && reaches(mark, cell.certified));
      met[name] = (met[name] ?? 0) + (meets ? 1 : 0);
      marks[name] = meets || !mark ? { local: cell.local, certified: cell.certified } : { ...mark, certified: cell.certified };
    }
  }
  return { met, marks };
}

/** Whether the certified value has reached or passed the noted local value since that was noted. */
function reaches(mark, certified) {
  try {
    const [from, to, goal] = [mark.certified, certified, mark.local].map(BigInt);
    return from <= to ? from <= goal && goal <= to : to <= goal && goal <= from;
  } catch {
    return false;
  }
}

// ---- The attack ----

/** The lines of the story that belong to the newest attack, oldest first. */
function linesOfAttack(state) {
  if (!state.attack) {
    return [];
  }
  const { server } = state.attack;
  let from = -1;
  state.story.forEach((line, i) => {
    if (line.kind === 'corrupted' && line.server === server) {
      from = i;
    }
  });
  return state.story.slice(from + 1).filter((line) => line.server === server);
}

/**
 * The six stages of an attack, always the same, each of which requires the one before it. Each has `id`, `label`, `state`
 * (pending, done, open or wrong), `since` in milliseconds since the first misdeed or null, and `text`.
 */
export function steps(state) {
  const lines = linesOfAttack(state);
  const { attack } = state;
  const first = (...kinds) => lines.find((line) => kinds.includes(line.kind));
  const told = (id, label, line, known) => ({
    id,
    label,
    state: line ? 'done' : 'pending',
    // A proof may be reported before the first misdeed; then only the attack knows its time.
    since: line ? (line.since ?? known ?? null) : null,
    text: sentence(line),
  });
  return [
    misdeed(told('misdeed', 'Misdeed', first('misdeed')), attack),
    caught(told('caught', 'Caught', first('proof'), attack?.detected), first('noticed', 'complaint')),
    told('verdict', 'Found guilty', first('verdict'), attack?.verdict),
    told('excluded', 'Excluded', first('excluded'), attack?.excluded),
    recovery(attack),
    outcome(told('whole', 'Nothing lost', first('whole')), lines, attack),
  ];
}

/** A line's text without the prefix that the label of the stage already expresses. */
function sentence(line) {
  return (line?.text ?? '').replace(/^(first misdeed|detected|proved|verdict|excluded|nothing lost): /, '');
}

function misdeed(step, attack) {
  const more = attack && attack.misdeeds > 1 ? ` (${attack.misdeeds} misdeeds so far)` : '';
  return step.state === 'done' ? { ...step, text: step.text + more } : step;
}

/** Combines the first notice with the first proof, which are usually the same event. */
function caught(step, noticed) {
  if (!noticed) {
    return step;
  }
  if (step.state === 'pending') {
    return { ...step, state: 'open', since: noticed.since, text: `${sentence(noticed)}; no proof yet` };
  }
  const earlier = noticed.since !== null && step.since !== null && noticed.since < step.since;
  return earlier ? { ...step, text: `${step.text}; noticed first by ${noticed.by} after ${millis(noticed.since)}` } : step;
}

/** Every client has left the server and is back at certified values. */
function recovery(attack) {
  const step = { id: 'recovered', label: 'Clients safe', state: 'pending', since: null, text: '' };
  if (!attack || (attack.excluded === null && attack.switched === 0 && !attack.revoked && !attack.rolledBack)) {
    return step;
  }
  const missing = attack.clients - attack.switched;
  const parts = [
    attack.clients === 0 ? 'no client used it' : `${attack.switched} of ${counted(attack.clients, 'client')} left it${missing > 0 ? `, ${missing} still to go` : ''}`,
    attack.revoked ? `${counted(attack.revoked, 'update')} beyond the cut revoked` : null,
    attack.rolledBack ? `${counted(attack.rolledBack, 'value')} rolled back to certified` : null,
    attack.resubmitted ? `${counted(attack.resubmitted, 'update')} sent again` : null,
  ];
  return {
    ...step,
    state: missing > 0 ? 'open' : 'done',
    since: missing > 0 ? null : Math.max(attack.recovered ?? 0, attack.excluded ?? 0),
    text: parts.filter(Boolean).join('; '),
  };
}

function outcome(step, lines, attack) {
  const wrong = lines.find((line) => line.kind === 'wrong');
  if (wrong) {
    return { ...step, label: 'Wrong', state: 'wrong', since: wrong.since, text: wrong.text };
  }
  if (step.state === 'done' || !(attack?.open > 0)) {
    return step;
  }
  const places = (attack.openAt ?? []).map((one) => `${one.updates} at ${one.server}`).join(', ');
  return { ...step, state: 'open', text: `${attack.open} of ${attack.openOnce} unconfirmed updates await a certificate: ${places}` };
}

/** The kinds of lines that the live region announces. */
export const SPOKEN = new Set(['problem', 'corrupted', 'misdeed', 'proof', 'verdict', 'excluded', 'whole', 'wrong']);

/** The newest lines of the story, newest first. */
export function newest(state) {
  return state.story.slice(-MOMENTS).reverse();
}

// ---- What may be done ----

/** Whether an action is available now. */
export function may(state, action) {
  return state.connection === 'open' && offers(state, action);
}

/** Whether this console has an action at all, now or later. */
export function offers(state, action) {
  return Boolean(state.hello) && !state.hello.readOnly && state.hello.actions.includes(action);
}

/** The number of appservers that attack or are excluded; at most f may be. */
export function corruptions(state) {
  return state.nodes.filter((node) => node.name.startsWith('appserver-') && (node.role || ['corrupt', 'excluded'].includes(node.state))).length;
}
