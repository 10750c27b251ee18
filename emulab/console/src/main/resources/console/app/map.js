// The map: land, links with their delays, sites as buttons, and moving dots. Without room or coordinates for a map, it is a list of sites.

import { el, keyed, setAttribute, setText, svg } from './dom.js';
import { count, counted, millis, words } from './format.js';
import { LAND } from './land.js';
import { Motion } from './motion.js';
import { curves, isCut, placed, sideOf } from './places.js';
import { FRAME } from './projection.js';
import { gapOf } from './state.js';

/** A map in a container; `chosen(site)` runs when the user picks a site. */
export class WorldMap {
  constructor(container, chosen) {
    this.chosen = chosen;
    this.links = svg('g');
    this.delays = svg('g');
    this.moving = svg('g');
    this.land = svg('path', { class: 'land', d: LAND });
    this.picture = svg(
      'svg',
      { viewBox: `0 0 ${FRAME.width} ${FRAME.height}`, 'aria-hidden': 'true', focusable: 'false' },
      this.land,
      this.links,
      this.delays,
      this.moving,
    );
    this.sites = el('div', { role: 'group', 'aria-label': 'Sites. Each button picks a site for the actions.' });
    container.append(this.picture, this.sites);
    this.motion = new Motion(this.moving);
    this.container = container;
    this.narrow = matchMedia('(max-width: 760px)');
    this.topology = null;
  }

  /** Whether to list the sites, because they have no places on the earth or the window has no room for a map. */
  get isList() {
    return this.narrow.matches || !this.places.every((site) => site.earth);
  }

  /** Draws the current state; `target` is the selected node. */
  show(state, target) {
    if (!state.hello) {
      return;
    }
    if (this.topology !== state.hello.topology) {
      this.begin(state.hello.topology);
    }
    setAttribute(this.container, 'data-form', this.isList ? 'list' : 'map');
    this.showLinks(state);
    this.showSites(state, target);
  }

  /** Animates some of the clients' calls, as sampled by the server. */
  calls(state) {
    if (!this.topology || document.hidden || this.isList) {
      return;
    }
    const siteOf = new Map(state.nodes.map((node) => [node.name, node.site]));
    for (const { server, client, kind } of state.operations.samples ?? []) {
      const site = this.bySite.get(siteOf.get(server));
      if (site) {
        this.motion.call(site.x, site.y, client, kind);
      }
    }
  }

  /** Animates the entries and certificates that servers received since the previous tick. */
  flow(state) {
    if (!this.topology || document.hidden || this.isList) {
      return;
    }
    const siteOf = new Map(state.nodes.map((node) => [node.name, node.site]));
    for (const one of state.moved) {
      const to = this.bySite.get(siteOf.get(one.to));
      if (one.certificate && to) {
        this.motion.ring(to.x, to.y);
      } else if (to) {
        this.motion.travel(this.curve(siteOf.get(one.from), to.name), one.entries);
      }
    }
  }

  begin(topology) {
    this.topology = topology;
    this.places = placed(topology.sites);
    this.bySite = new Map(this.places.map((site) => [site.name, site]));
    this.curves = curves(topology.links, this.places);
  }

  /** The curve from one site to another, or undefined if there is none. */
  curve(from, to) {
    const straight = this.curves.find((link) => link.from === from && link.to === to);
    if (straight) {
      return straight;
    }
    const back = this.curves.find((link) => link.from === to && link.to === from);
    return back && { ...back, a: back.b, b: back.a };
  }

  showLinks(state) {
    const name = (link) => `${link.from} ${link.to}`;
    keyed(
      this.links,
      this.curves,
      name,
      ({ a, control, b }) => svg('path', { class: 'link', d: `M${a}Q${control} ${b}` }),
      (line, link) => setAttribute(line, 'data-state', isCut(state.partition, link.from, link.to) ? 'cut' : 'whole'),
    );
    keyed(
      this.delays,
      this.curves,
      name,
      ({ label }) => svg('text', { class: 'delay', x: label[0], y: label[1] }),
      (text, link) => setText(text, isCut(state.partition, link.from, link.to) ? 'cut' : `${Math.round(link.oneWayMillis)} ms`),
    );
  }

  showSites(state, target) {
    keyed(this.sites, this.places, (site) => site.name, (site) => this.makeSite(site), (button, site) => {
      const here = state.nodes.filter((node) => node.site === site.name);
      setAttribute(button, 'aria-pressed', String(here.some((node) => node.name === target)));
      setAttribute(button, 'aria-label', described(site, here));
      keyed(
        button.querySelector('.spot'),
        here,
        (node) => node.name,
        (node) => el('span', { class: 'node', 'data-kind': node.name.split('-')[0] }),
        (mark, node) => setAttribute(mark, 'data-state', node.state),
      );
      setText(button.querySelector('.here'), here.map((node) => node.name).filter((name) => name !== site.name).join(', ') || 'no server, only clients');
      this.showGap(button, here);
    });
  }

  makeSite(site) {
    const button = el(
      'button',
      { type: 'button', class: 'site', 'data-side': sideOf(site, this.places), onclick: () => this.chosen(site) },
      el('span', { class: 'spot' }),
      el('span', { class: 'name' }, nameOf(site), el('small', {}, el('span', { class: 'behind' }), el('span', { class: 'mood' }))),
      el('small', { class: 'more' }, el('span', { class: 'here' }), el('span', { class: 'reach', text: reach(this.topology.links, site.name) })),
    );
    button.style.left = `${(site.x / FRAME.width) * 100}%`;
    button.style.top = `${(site.y / FRAME.height) * 100}%`;
    return button;
  }

  showGap(button, here) {
    const server = here.find((node) => node.name.startsWith('appserver-'));
    const gap = server ? gapOf(server) : null;
    const behind = button.querySelector('.behind');
    setText(behind, gap === null ? '' : gap > 0 ? `+${count(gap)}` : server.delivered === 0 ? 'empty' : 'certified');
    setAttribute(behind, 'data-even', gap === 0);
    const worst = here.find((node) => node.state !== 'running');
    setText(button.querySelector('.mood'), worst ? ` ${worst.role ? words(worst.role) : worst.state}` : '');
  }
}

/** The place that a site is near, or its name if no place is known. */
function nameOf(site) {
  return site.near || site.name;
}

/** The range of delays from a site to the others, in a few words; empty if they are unknown. */
function reach(links, name) {
  const delays = links.filter((link) => link.from === name || link.to === name).map((link) => link.oneWayMillis).filter((delay) => delay > 0);
  return delays.length === 0 ? '' : `${Math.round(Math.min(...delays))} to ${Math.round(Math.max(...delays))} ms away`;
}

/** A description of a site for screen readers. */
function described(site, here) {
  const nodes = here.map((node) => {
    const gap = gapOf(node);
    return `${node.name} ${node.state}${node.role ? ` as ${words(node.role)}` : ''}${gap === null ? '' : `, ${count(gap)} not certified yet`}`;
  });
  return `${nameOf(site)}: ${nodes.join('; ') || 'no servers'}${site.clients === null ? '' : `; ${counted(site.clients, 'client')}`}`;
}

/** The links in one sentence; `picks` says whether picking a site enables actions. */
export function linksInWords(topology, picks) {
  const delays = topology.links.map((link) => link.oneWayMillis).filter((delay) => delay > 0);
  if (delays.length === 0) {
    return topology.world === null ? 'No world was given, so the distances are unknown.' : 'All sites are in one place.';
  }
  return `One way takes ${millis(Math.min(...delays))} to ${millis(Math.max(...delays))}.${picks ? ' Pick a site to act on it.' : ''}`;
}
