// Makes elements without markup: text is never parsed as HTML, and invisible characters in it are made visible.

/**
 * Makes a text from any source safe to show: characters that are invisible, or would reorder or break their neighbours
 * (controls, bidi overrides, zero-width and unassigned ones, lone surrogates), are written as "\\u{202e}".
 */
export function shown(text) {
  return String(text).replace(HIDDEN, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Attributes that people see or hear. */
const READ = new Set(['title', 'label', 'aria-label', 'aria-valuetext']);

/**
 * Makes an element. `attributes` are set as attributes; `class`, `text` and handlers (`on...`) have their usual meaning; false and
 * undefined are left out.
 */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an SVG element in the same way. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) {
      continue;
    }
    if (key === 'text') {
      node.textContent = shown(value);
    } else if (key.startsWith('on')) {
      node.addEventListener(key.slice(2), value);
    } else {
      node.setAttribute(key, value === true ? '' : READ.has(key) ? shown(value) : String(value));
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : shown(child))));
  return node;
}

/** Returns the element with an id; a missing one is a bug of the page. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`the page has no element ${id}`);
  }
  return found;
}

/** Sets a text only if it differs, to spare screen readers and layout. */
export function setText(node, text) {
  const safe = shown(text);
  if (node.textContent !== safe) {
    node.textContent = safe;
  }
}

/** Sets or removes an attribute if that changes something. */
export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) {
      node.removeAttribute(name);
    }
  } else {
    const text = READ.has(name) ? shown(value) : String(value);
    if (node.getAttribute(name) !== text) {
      node.setAttribute(name, text);
    }
  }
}

/**
 * Keeps one child for each key, in the order of the items: creates missing children, removes obsolete ones, and updates each with its item.
 */
export function keyed(parent, items, keyOf, make, update) {
  const known = parent.keyedChildren ?? (parent.keyedChildren = new Map());
  const wanted = new Set(items.map(keyOf));
  for (const [key, child] of known) {
    if (!wanted.has(key)) {
      child.remove();
      known.delete(key);
    }
  }
  items.forEach((item, index) => {
    const key = keyOf(item);
    let child = known.get(key);
    if (!child) {
      child = make(item);
      known.set(key, child);
    }
    if (parent.children[index] !== child) {
      parent.insertBefore(child, parent.children[index] ?? null);
    }
    update(child, item, index);
  });
}
