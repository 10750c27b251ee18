/** Proofs of origin logs, the Merkle trees of RFC 9162 (docs/formats.md §4). */
import { equal } from './bytes.js';
import { leafHash, nodeHash, sha256 } from './hash.js';

const MAX_PATH = 64;

/** The root of the log without entries. */
export const EMPTY_ROOT = sha256(new Uint8Array(0));

/** The leaf of an encoded Entry. */
export function entryLeaf(encoded) {
  return leafHash(encoded);
}

/** The number of zero bits below the lowest bit that is set; n is above 0. */
function trailingZeros(n) {
  let zeros = 0n;
  while (((n >> zeros) & 1n) === 0n) zeros++;
  return zeros;
}

/** Whether an inclusion proof shows a leaf, at its index, in the tree of its size that has this root. */
export function verifyInclusion(proof, leaf, root) {
  const { leafIndex, treeSize, path } = proof;
  if (leafIndex < 0n || leafIndex >= treeSize || path.length > MAX_PATH) return false;
  const up = climb(leafIndex, treeSize - 1n, path, (sibling, leftSibling, hash) =>
    leftSibling ? nodeHash(sibling, hash) : nodeHash(hash, sibling), leaf);
  return up !== null && equal(up, root);
}

/** From a node up to the root: what a step makes of each sibling; null when the path is too long or too short. */
function climb(node, last, path, step, start) {
  let made = start;
  for (const sibling of path) {
    if (last === 0n) return null;
    const left = (node & 1n) === 1n || node === last;
    made = step(sibling, left, made);
    if (left && node !== 0n) {
      const rise = trailingZeros(node);
      node >>= rise;
      last >>= rise;
    }
    node >>= 1n;
    last >>= 1n;
  }
  return last === 0n ? made : null;
}

/** Whether a consistency proof shows that the log with the old root begins the log with the new root. */
export function verifyConsistency(proof, oldRoot, newRoot) {
  const { oldSize, newSize, path } = proof;
  if (oldSize < 0n || newSize < oldSize || path.length > MAX_PATH) return false;
  if (oldSize === newSize || oldSize === 0n) {
    return path.length === 0
      && (oldSize > 0n || equal(oldRoot, EMPTY_ROOT))
      && (oldSize < newSize || equal(oldRoot, newRoot));
  }
  const shared = trailingZeros(oldSize);
  // The old root is itself a node of the new tree when the old size is a power of two.
  const whole = oldSize >> shared === 1n;
  if (!whole && path.length === 0) return false;
  const first = whole ? oldRoot : path[0];
  const both = climb((oldSize - 1n) >> shared, (newSize - 1n) >> shared, whole ? path : path.slice(1),
    (sibling, left, [older, newer]) => left
      ? [nodeHash(sibling, older), nodeHash(sibling, newer)]
      : [older, nodeHash(newer, sibling)],
    [first, first]);
  return both !== null && equal(both[0], oldRoot) && equal(both[1], newRoot);
}
