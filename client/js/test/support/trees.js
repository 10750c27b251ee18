/** Makes Merkle logs and state trees with their proofs, the plain way: for tests. */
import { nodeHash, sha256, ZERO, leafHash } from '../../src/verify/hash.js';

/** The root over the leaves of an RFC 9162 log. */
export function logRoot(leaves) {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return leaves[0];
  const k = split(leaves.length);
  return nodeHash(logRoot(leaves.slice(0, k)), logRoot(leaves.slice(k)));
}

/** The largest power of two below n. */
function split(n) {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

function path(leaves, m) {
  if (leaves.length <= 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...path(leaves.slice(0, k), m), logRoot(leaves.slice(k))]
    : [...path(leaves.slice(k), m - k), logRoot(leaves.slice(0, k))];
}

/** An inclusion proof of the leaf at an index. */
export function inclusion(leaves, m) {
  return { leafIndex: BigInt(m), treeSize: BigInt(leaves.length), path: path(leaves, m) };
}

function subproof(m, leaves, whole) {
  if (m === leaves.length) return whole ? [] : [logRoot(leaves)];
  const k = split(leaves.length);
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), whole), logRoot(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), logRoot(leaves.slice(0, k))];
}

/** A consistency proof from the first m leaves to all. */
export function consistency(leaves, m) {
  const none = m === 0 || m === leaves.length;
  return { oldSize: BigInt(m), newSize: BigInt(leaves.length), path: none ? [] : subproof(m, leaves, true) };
}

const bit = (bytes, i) => (bytes[i >> 3] >> (7 - (i & 7))) & 1;

function root(leaves, depth) {
  if (leaves.length === 0) return ZERO;
  if (leaves.length === 1) return leafHash(leaves[0].path, leaves[0].value);
  return nodeHash(...[0, 1].map((side) => root(leaves.filter((leaf) => bit(leaf.path, depth) === side), depth + 1)));
}

/** The root of a state tree. */
export function treeRoot(leaves) {
  return root(leaves, 0);
}

/** A path proof: of presence where the path has a leaf, else of absence. */
export function statePath(leaves, at) {
  const siblings = [];
  let left = leaves;
  for (let depth = 0; left.length > 1; depth++) {
    siblings.push(root(left.filter((leaf) => bit(leaf.path, depth) !== bit(at, depth)), depth + 1));
    left = left.filter((leaf) => bit(leaf.path, depth) === bit(at, depth));
  }
  return { siblings, terminal: left[0] ?? null };
}

/** A page proof of the leaves under the first bits of a path. */
export function page(leaves, from, bits) {
  const siblings = [];
  let left = leaves;
  for (let depth = 0; depth < bits && left.length > 1; depth++) {
    siblings.push(root(left.filter((leaf) => bit(leaf.path, depth) !== bit(from, depth)), depth + 1));
    left = left.filter((leaf) => bit(leaf.path, depth) === bit(from, depth));
  }
  const within = (leaf) => Array.from({ length: bits }, (_, i) => i).every((i) => bit(leaf.path, i) === bit(from, i));
  const other = siblings.length < bits && left.length === 1 && !within(left[0]) ? left[0] : null;
  return { bits, siblings, other };
}
