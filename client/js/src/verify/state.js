/** Proofs of the state tree, and its paths and leaves (docs/formats.md §5 and §6). */
import { compare, equal, utf8 } from './bytes.js';
import { encodeValue, Writer } from './cbor.js';
import { leafHash, nodeHash, sha256, tagged, ZERO } from './hash.js';

const MAX_BITS = 256;
const LAYOUT = 1n;

/** The path of an object. */
export function objectPath(key) {
  return tagged('aspas/v1/object-path', utf8(key));
}

/** The path of a client, of 48 bytes. */
export function clientPath(client) {
  return tagged('aspas/v1/client-path', client);
}

/** The path of an element in the tree of its object's elements. */
export function elementPath(element) {
  return tagged('aspas/v1/element-path', encodeValue(element));
}

/** The hash of an array of items under a name. The array is none of those that a value may stand in. */
function hashOf(name, items) {
  const out = new Writer();
  out.open(items.length);
  for (const item of items) out.value(item);
  return tagged(name, out.done());
}

/** The leaf of an object of a type without elements. */
export function objectLeaf(key, type, value) {
  return hashOf('aspas/v1/object-leaf', [LAYOUT, key, type, value]);
}

/** The leaf of an object of a type with elements: how many there are, and the root of their tree. */
export function collectionLeaf(key, type, size, root) {
  return hashOf('aspas/v1/object-leaf', [LAYOUT, key, type, size, root]);
}

/** The leaf of an element with the short form of its state. */
export function elementLeaf(element, shortState) {
  return hashOf('aspas/v1/element-leaf', [LAYOUT, element, shortState]);
}

/** The leaf of a client: its session, and which of its requests are counted. `blocks` are lists of `{number, dot, identity}`. */
export function clientLeaf({ client, session, tolerance, full, rest, blocks }) {
  const hashes = blocks.map((block) => hashOf('aspas/v1/counted-block',
    block.map(({ number, dot, identity }) => [number, [BigInt(dot.origin), dot.sequence], identity])));
  return hashOf('aspas/v1/client-leaf', [LAYOUT, client, session, tolerance, full, rest, hashes]);
}

/** What stands for the state of an element: the state, or its hash when it is longer than a hash. */
export function shortForm(state) {
  const encoded = encodeValue(state);
  return encoded.length <= 32 ? state : sha256(encoded);
}

function bit(path, i) {
  return (path[i >> 3] >> (7 - (i & 7))) & 1;
}

function agree(one, other, bits) {
  for (let i = 0; i < bits; i++) if (bit(one, i) !== bit(other, i)) return false;
  return true;
}

function leadsTo(root, path, siblings, bottom) {
  let hash = bottom;
  for (let depth = siblings.length - 1; depth >= 0; depth--) {
    hash = bit(path, depth) ? nodeHash(siblings[depth], hash) : nodeHash(hash, siblings[depth]);
  }
  return equal(hash, root);
}

const leafOf = (leaf) => (leaf === null ? ZERO : leafHash(leaf.path, leaf.value));

/** Whether a path proof shows this value at this path under this root. */
export function provesPresence(proof, root, path, value) {
  const { siblings, terminal } = proof;
  return terminal !== null && siblings.length <= MAX_BITS && equal(terminal.path, path) && equal(terminal.value, value)
    && leadsTo(root, path, siblings, leafOf(terminal));
}

/** Whether a path proof shows that nothing is at this path under this root. */
export function provesAbsence(proof, root, path) {
  const { siblings, terminal } = proof;
  if (siblings.length > MAX_BITS || !leadsTo(root, path, siblings, leafOf(terminal))) return false;
  return terminal === null || (!equal(terminal.path, path) && agree(terminal.path, path, siblings.length));
}

/** The hash of the subtree at a depth over leaves in ascending order. */
function subtree(leaves, depth) {
  if (leaves.length <= 1) return leafOf(leaves[0] ?? null);
  let right = 0;
  while (right < leaves.length && bit(leaves[right].path, depth) === 0) right++;
  return nodeHash(subtree(leaves.slice(0, right), depth + 1), subtree(leaves.slice(right), depth + 1));
}

/** The root of the tree with exactly these leaves, each path once. */
export function stateRoot(leaves) {
  return subtree([...leaves].sort((one, other) => compare(one.path, other.path)), 0);
}

/** Whether a page shows that the tree has exactly these leaves under the first bits of a path. */
function shows(page, root, from, leaves) {
  const { bits, siblings, other } = page;
  if (bits > MAX_BITS || siblings.length > bits) return false;
  const sorted = [...leaves].sort((one, another) => compare(one.path, another.path));
  for (let i = 0; i < sorted.length; i++) {
    if (!agree(sorted[i].path, from, bits) || (i > 0 && equal(sorted[i - 1].path, sorted[i].path))) return false;
  }
  if (siblings.length === bits) {
    return other === null && leadsTo(root, from, siblings, subtree(sorted, bits));
  }
  if (other === null) return sorted.length <= 1 && leadsTo(root, from, siblings, leafOf(sorted[0] ?? null));
  return sorted.length === 0 && agree(other.path, from, siblings.length) && !agree(other.path, from, bits)
    && leadsTo(root, from, siblings, leafOf(other));
}

/** The number of bits of a path up to the last one that is 1. */
function leastBits(path) {
  for (let i = MAX_BITS - 1; i >= 0; i--) if (bit(path, i) === 1) return i + 1;
  return 0;
}

/** Whether a page that begins with a path shows exactly these leaves from there to its end. */
export function provesPage(page, root, from, leaves) {
  const least = leastBits(from);
  return page.bits >= least && (page.siblings.length === page.bits || page.bits === least) && shows(page, root, from, leaves);
}

/** Whether a page shows exactly these leaves, one or none, at a path. */
export function provesElement(page, root, path, leaves) {
  return page.bits === MAX_BITS && shows(page, root, path, leaves);
}

/** Where the page behind one begins, or null at the end of the tree. */
export function nextPage(page, from) {
  const next = from.slice();
  for (let i = page.bits - 1; i >= 0; i--) {
    next[i >> 3] ^= 0x80 >> (i & 7);
    if (bit(next, i) === 1) return next;
  }
  return null;
}
