// What others wrote is shown as text, whatever is in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { el, setAttribute, setText, shown } from '../../main/resources/console/app/dom.js';

/** As much of a document as dom.js needs: it keeps text and attributes, and has no markup at all. */
class Fake {
  constructor(name) {
    Object.assign(this, { name, attributes: new Map(), children: [], textContent: '' });
  }
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  append(...children) {
    this.children.push(...children);
  }
}
globalThis.Node = Fake;
globalThis.document = { createElement: (name) => new Fake(name) };

const HOSTILE = {
  '<img src=x onerror=alert(1)>&amp;': '<img src=x onerror=alert(1)>&amp;',
  'paid\u202e001': 'paid\\u{202e}001',
  '\u2066a\u2069\u200f': '\\u{2066}a\\u{2069}\\u{200f}',
  'a\u0000\n\u001b[2J\u007f\u009b': 'a\\u{0}\\u{a}\\u{1b}[2J\\u{7f}\\u{9b}',
  'k\ud800': 'k\\u{d800}',
  'zero\u200bwidth\ufeff\u00ad\u2028': 'zero\\u{200b}width\\u{feff}\\u{ad}\\u{2028}',
  '\u{e0041}\u{f0000}': '\\u{e0041}\\u{f0000}',
  'clé 日本 \u05d0 😀': 'clé 日本 \u05d0 😀',
};

test('hostile texts are shown, and mark themselves', () => {
  for (const [text, seen] of Object.entries(HOSTILE)) {
    assert.equal(shown(text), seen);
  }
});

test('every way into the page shows a text in the same way, and none makes elements of it', () => {
  for (const [text, seen] of Object.entries(HOSTILE)) {
    const made = el('th', { text, title: text, 'aria-label': text }, text);
    assert.deepEqual([made.textContent, made.getAttribute('title'), made.getAttribute('aria-label'), made.children[0]], [seen, seen, seen, seen]);
    const later = el('td');
    setText(later, text);
    setAttribute(later, 'title', text);
    assert.deepEqual([later.textContent, later.getAttribute('title')], [seen, seen]);
  }
});

test('a text that does not change is not set again, hidden characters or not', () => {
  const cell = el('td', { text: 'a\u202e' });
  Object.defineProperty(cell, 'textContent', { get: () => 'a\\u{202e}', set: () => assert.fail('set again') });
  setText(cell, 'a\u202e');
});
