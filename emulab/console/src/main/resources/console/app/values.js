// The local and certified values of frequently written keys at every server, and each server's gap.

import { el, keyed, setAttribute, setText, svg } from './dom.js';
import { count, NONE, short } from './format.js';
import { line, roundUp } from './scale.js';
import { distance, gapOf, TICKS } from './state.js';

const METER = 100;
const FIRST = [
  { id: 'server', title: 'Server' },
  { id: 'gap', title: 'Entries not certified yet' },
];

/** The table of values in its container. */
export class Values {
  constructor(table) {
    this.head = el('tr');
    this.body = el('tbody');
    table.append(el('caption', { class: 'unseen', text: 'Local and certified values by server and key' }), el('thead', {}, this.head), this.body);
    this.widest = new Map();
  }

  show(state) {
    const servers = state.nodes.filter((node) => node.name.startsWith('appserver-'));
    const columns = [...FIRST, ...state.keys.map(({ key }) => ({ id: `key ${key}`, key }))];
    keyed(this.head, columns, (column) => column.id, makeHead, () => {});
    keyed(this.body, servers, (node) => node.name, makeRow, (row, node) => this.update(row, node, state));
  }

  update(row, node, state) {
    setText(row.querySelector('small'), [siteName(node, state), node.state === 'running' ? '' : node.state].filter(Boolean).join(', '));
    const gaps = state.gaps[node.name] ?? [];
    setText(row.querySelector('.lined b'), short(gapOf(node)));
    row.querySelector('path').setAttribute('d', line(gaps, TICKS, roundUp(Math.max(...gaps, 1), 10), 84, 22));
    const cells = state.keys.map(({ key, servers }) => ({ key, cell: servers.find((one) => one.server === node.name) ?? {} }));
    keyed(row.valueCells, cells, ({ key }) => key, ({ key }) => makeCell(key), (cell, one) => this.updateCell(cell, one, node.name, state.met));
  }

  updateCell(cell, { key, cell: value }, server, met) {
    const gap = distance(value);
    const name = `${server} ${key}`;
    this.showMeeting(cell, met[name] ?? 0);
    setText(cell.querySelector('.local'), figure(value.local));
    setText(cell.querySelector('.certified'), figure(value.certified));
    const text = value.error ? 'no answer' : (gap === null ? NONE : gap === 0 ? 'equal' : `${gap > 0 ? '+' : '−'}${count(Math.abs(gap))}`);
    setText(cell.querySelector('.distance'), text);
    setAttribute(cell.querySelector('.distance'), 'title', value.error);
    setAttribute(cell.querySelector('.distance'), 'data-even', gap === 0);
    const widest = Math.max((this.widest.get(name) ?? 0) * 0.98, Math.abs(gap ?? 0), 8);
    this.widest.set(name, widest);
    cell.querySelector('.meter rect:last-child').setAttribute('width', String((Math.abs(gap ?? 0) / widest) * METER));
  }

  /** Flashes the background of the certified value when it has reached the noted local one; the text stays as it is. */
  showMeeting(cell, met) {
    if (cell.dataset.met !== undefined && cell.dataset.met !== String(met) && !still.matches) {
      cell.querySelector('.certified').animate([{ backgroundColor: 'var(--certified-soft)' }, { backgroundColor: 'transparent' }], 700);
    }
    setAttribute(cell, 'data-met', met);
  }
}

/** Whether the user asked for less motion. */
const still = matchMedia('(prefers-reduced-motion: reduce)');

const figure = (value) => (value === null || value === undefined ? NONE : Array.isArray(value) ? `${value.length} elements` : inFull(value));

/** A value in full; a text stands for a number beyond 2^53. */
function inFull(value) {
  return typeof value === 'number' ? count(value) : String(value);
}

function siteName(node, state) {
  const site = state.hello?.topology.sites.find((one) => one.name === node.site);
  return site?.near || (node.site === node.name ? '' : node.site);
}

function makeHead({ title, key }) {
  if (title) {
    return el('th', { scope: 'col', text: title });
  }
  return el(
    'th',
    { scope: 'col' },
    key,
    el('br'),
    el('span', { class: 'swatch-local', text: 'local' }),
    ' / ',
    el('span', { class: 'swatch-certified', text: 'certified' }),
  );
}

function makeRow(node) {
  const row = el(
    'tr',
    { 'data-server': node.name },
    el('th', { scope: 'row' }, node.name, el('small')),
    el(
      'td',
      {},
      el(
        'div',
        { class: 'lined' },
        el('b'),
        svg('svg', { viewBox: '0 -1 84 24', preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' }, svg('path')),
      ),
    ),
  );
  // The cells of keys follow the first two cells and are kept by key.
  row.valueCells = {
    get children() {
      return [...row.children].slice(2);
    },
    insertBefore: (cell, before) => row.insertBefore(cell, before),
  };
  return row;
}

function makeCell(key) {
  return el(
    'td',
    { class: 'cell' },
    el('span', { class: 'cell-key', text: key }),
    el(
      'div',
      { class: 'pair' },
      el('span', { class: 'local' }),
      el('span', { class: 'certified' }),
      el('span', { class: 'distance' }),
      svg(
        'svg',
        { class: 'meter', viewBox: `0 0 ${METER} 4`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false' },
        svg('rect', { class: 'ground', width: METER, height: 4 }),
        svg('rect', { width: 0, height: 4 }),
      ),
    ),
  );
}
