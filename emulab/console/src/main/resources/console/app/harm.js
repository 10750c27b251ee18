// The faults that a user can inject into nodes (corrupt, kill, freeze, cut off), and their reversal.

import { byId, el, keyed, setAttribute, setText } from './dom.js';
import { millis, words } from './format.js';
import { apart } from './places.js';
import { corruptions, may, offers } from './state.js';

const RANDOM = 'random';

/** The card's note: the state of the attack, or what the card is for. */
function note({ hello, attack }) {
  if (attack) {
    const end = attack.excluded === null ? (attack.detected === null ? '' : `, caught after ${millis(attack.detected)}`) : `, out after ${millis(attack.excluded)}`;
    return `${attack.server}: ${words(attack.role)}${end}`;
  }
  return hello.actions.includes('corrupt') ? 'Corrupt a server and follow what happens.' : 'Kill, freeze and restart nodes of this machine.';
}

/** The form; `act(name, body)` sends an action, and `done(name)` runs after the server has accepted it. */
export class Harm {
  constructor(act, done) {
    this.act = act;
    this.done = done;
    this.target = null;
    this.state = null;
    this.status = byId('harm-status');
    byId('harm').addEventListener('submit', (event) => {
      event.preventDefault();
      this.corrupt();
    });
    byId('role').addEventListener('change', () => this.show(this.state));
    for (const name of ['stop', 'freeze', 'cut', 'heal']) {
      byId(name).addEventListener('click', () => this.other(name));
    }
  }

  /** Picks a node. */
  pick(name) {
    this.target = name;
    this.show(this.state);
  }

  show(state) {
    if (!state?.hello) {
      return;
    }
    if (this.state?.hello !== state.hello) {
      this.listRoles(state.hello.roles ?? []);
    }
    this.state = state;
    this.target ??= state.nodes.findLast((node) => node.name.startsWith('appserver-'))?.name ?? null;
    for (const kind of ['appserver', 'bftserver']) {
      const nodes = state.nodes.filter((node) => node.name.startsWith(kind));
      keyed(byId(`${kind}s`), nodes, (node) => node.name, (node) => this.makeTarget(node), (label, node) => this.showTarget(label, node));
    }
    this.showButtons(state);
  }

  showTarget(label, node) {
    label.firstElementChild.checked = node.name === this.target;
    setAttribute(label.lastElementChild, 'data-state', node.state);
    setAttribute(label, 'title', node.role ? `${node.name}: ${node.state} as ${words(node.role)}` : `${node.name}: ${node.state}`);
  }

  makeTarget(node) {
    const radio = el('input', {
      type: 'radio',
      name: 'target',
      value: node.name,
      'aria-label': node.name,
      onchange: () => this.pick(node.name),
    });
    return el('label', { class: 'target' }, radio, el('span', { text: node.name.split('-')[1] }));
  }

  listRoles(roles) {
    const group = (label, some) =>
      el('optgroup', { label }, ...some.map((role) => el('option', { value: role.name, text: words(role.name) })));
    byId('role').replaceChildren(
      el('option', { value: RANDOM, text: 'random, leaves a proof' }),
      group('Leaves a proof', roles.filter((role) => role.provable)),
      group('May leave no proof', roles.filter((role) => !role.provable)),
    );
  }

  /** Hides the actions that this console never has. Without corruption the card is about nodes; with nothing to do or show it disappears. */
  showOffers(state) {
    const acts = !state.hello.readOnly && state.hello.actions.length > 0;
    const corrupts = offers(state, 'corrupt');
    byId('attack-card').hidden = !acts && !state.attack && state.proofs.length === 0;
    byId('harm').hidden = !acts;
    byId('corrupt-rows').hidden = !corrupts;
    byId('cut').hidden = !offers(state, 'partition');
    byId('heal').hidden = !offers(state, 'heal');
    setText(byId('attack-title'), corrupts ? 'Fault injection' : acts ? 'Nodes' : 'Proofs of misbehavior');
  }

  showButtons(state) {
    this.showOffers(state);
    const node = state.nodes.find((one) => one.name === this.target);
    const appserver = Boolean(node?.name.startsWith('appserver-'));
    const cannot = this.reason(state, node, appserver);
    byId('corrupt').disabled = cannot !== '';
    byId('role').disabled = !may(state, 'corrupt');
    const role = state.hello.roles?.find((one) => one.name === byId('role').value);
    const line = cannot || `${this.target} ${role ? role.line : 'plays a random role that leaves a proof'}.`;
    setText(byId('role-line'), line);
    const stopped = node?.state === 'stopped' || node?.state === 'unreachable';
    setText(byId('stop'), stopped ? 'Start' : 'Kill');
    byId('stop').disabled = !node || !may(state, stopped ? 'start' : 'stop') || ['frozen', 'starting'].includes(node.state);
    const frozen = node?.state === 'frozen';
    setText(byId('freeze'), frozen ? 'Thaw' : 'Freeze');
    byId('freeze').disabled = !node || !may(state, frozen ? 'thaw' : 'freeze') || stopped || (!appserver && state.hello.mode === 'demo');
    byId('cut').disabled = !node || !may(state, 'partition');
    byId('heal').disabled = !may(state, 'heal') || !state.partition;
    setText(byId('attack-note'), note(state));
  }

  /** The reason why the node cannot be corrupted now; empty if it can. */
  reason(state, node, appserver) {
    if (!may(state, 'corrupt')) {
      return state.connection === 'open' ? 'This console cannot corrupt servers.' : 'Not connected.';
    }
    if (!appserver) {
      return 'Only appservers can be corrupted here; this bftserver can be killed.';
    }
    if (node.state !== 'running') {
      return `${node.name} is ${node.state}.`;
    }
    const { f } = state.hello.deployment;
    return corruptions(state) >= f ? `The deployment tolerates f = ${f} corrupt appserver${f === 1 ? '' : 's'}, and that limit is reached.` : '';
  }

  corrupt() {
    const chosen = byId('role').value;
    const provable = this.state.hello.roles.filter((role) => role.provable);
    const role = chosen === RANDOM ? provable[Math.floor(Math.random() * provable.length)].name : chosen;
    this.send('corrupt', { server: this.target, role });
  }

  other(name) {
    const node = { node: this.target };
    const { state } = this;
    const body = {
      stop: node,
      freeze: node,
      heal: {},
      cut: { groups: apart(state.hello.topology.sites, state.nodes.find((one) => one.name === this.target)?.site) },
    }[name];
    const action = { stop: byId('stop').textContent === 'Start' ? 'start' : 'stop', freeze: byId('freeze').textContent === 'Thaw' ? 'thaw' : 'freeze', cut: 'partition', heal: 'heal' }[name];
    this.send(action, body);
  }

  async send(name, body) {
    try {
      this.say(await this.act(name, body), 'taken');
      this.done(name);
    } catch (problem) {
      this.say(problem.message, 'refused');
    }
  }

  say(text, state) {
    setText(this.status, text);
    setAttribute(this.status, 'data-state', state);
  }
}
