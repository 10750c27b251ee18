// Rules that every file of the page keeps: they hold the content security policy and the escaping of text.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../main/resources/console');
const files = readdirSync(ROOT, { recursive: true }).filter((name) => /\.[a-z]+$/.test(name));
const read = (name) => readFileSync(join(ROOT, name), 'utf8');
const modules = files.filter((name) => name.endsWith('.js'));

test('there are modules, styles and a page', () => {
  assert.ok(modules.length > 10 && files.includes('index.html'));
});

test('no data becomes markup or code', () => {
  for (const name of modules) {
    assert.doesNotMatch(read(name), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\('style/, name);
  }
});

test('all text goes through dom.js, which shows what is hidden in it', () => {
  for (const name of modules.filter((one) => one !== 'app/dom.js')) {
    assert.doesNotMatch(read(name), /(textContent|innerText|nodeValue)\s*=[^=]|createTextNode|\.title\s*=[^=]/, name);
  }
});

test('no text fades', () => {
  for (const name of modules) {
    assert.doesNotMatch(read(name), /animate\([^;]*opacity/, name);
  }
});

test('the page has no inline script, style or handler', () => {
  assert.doesNotMatch(read('index.html'), /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
});

test('every element that a module asks for is in the page', () => {
  const page = read('index.html');
  for (const name of modules) {
    for (const [, id] of read(name).matchAll(/byId\('([^']+)'\)/g)) {
      assert.match(page, new RegExp(`id="${id}"`), `${name}: ${id}`);
    }
  }
});

test('every import is of a file that is there, and nothing comes from elsewhere', () => {
  for (const name of modules) {
    for (const [, from] of read(name).matchAll(/from '([^']+)'/g)) {
      assert.ok(existsSync(join(ROOT, dirname(name), from)), `${name}: ${from}`);
    }
  }
  const own = files.filter((name) => /\.(html|js|css)$/.test(name)).map(read).join('\n').replaceAll('http://www.w3.org/2000/svg', '');
  assert.doesNotMatch(own, /https?:\/\//);
});

test('labels name fields that are there, and each id is used once', () => {
  const page = read('index.html');
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [, id] of page.matchAll(/(?:\sfor|aria-labelledby)="([^"]+)"/g)) {
    assert.ok(ids.includes(id), id);
  }
});

test('each colour has a light and a dark form, in one place', () => {
  const tokens = read('style/tokens.css');
  const [, root] = tokens.match(/:root \{([^}]*)\}/);
  const colours = root.split('\n').filter((line) => /#|rgb/.test(line));
  assert.ok(colours.length > 20);
  for (const line of colours) {
    assert.match(line, /: (0 .*)?light-dark\(/, line);
  }
  assert.doesNotMatch(tokens.replace(root, ''), /--[a-z0-9-]+:/);
  for (const chosen of ['light', 'dark']) {
    assert.match(tokens, new RegExp(`:root\\[data-theme='${chosen}'\\] \\{\\s*color-scheme: ${chosen};\\s*\\}`));
  }
});
