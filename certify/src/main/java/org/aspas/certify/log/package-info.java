/**
 * Origin logs as Merkle trees: what one signed root says about a whole log, and how one entry is proved to be in it.
 *
 * <p>The tree is the one of RFC 9162 §2.1 (Certificate Transparency 2.0) with SHA-256, which is also the tree of
 * RFC 6962. Its byte format is:
 *
 * <ul>
 *   <li>leaf hash of an entry = SHA-256(0x00 ‖ entry bytes);
 *   <li>hash of an inner node = SHA-256(0x01 ‖ left hash ‖ right hash), 65 bytes hashed;
 *   <li>root of an empty log = SHA-256 of the empty string ({@code e3b0c442…7852b855});
 *   <li>root of a log of one entry = the entry's leaf hash;
 *   <li>root of a log of n &gt; 1 entries = inner node of the root of the first k entries and the root of the remaining
 *       n − k, where k is the largest power of two smaller than n.
 * </ul>
 *
 * <p>An {@link org.aspas.certify.log.InclusionProof} is (index of the leaf counted from 0, size of the tree, path): the
 * path is the list of sibling hashes from the leaf's sibling up to the child of the root (RFC 9162 §2.1.3). A
 * {@link org.aspas.certify.log.ConsistencyProof} is (old size, new size, path) in the order of RFC 9162 §2.1.4. This
 * project adds the two cases that the RFC leaves out: equal sizes need an empty path and equal roots, and the empty log
 * is consistent with every log, with an empty path. A path never has more than 64 hashes.
 *
 * <p>{@link org.aspas.certify.log.MerkleLog} is one growing log. It keeps the hash of every complete subtree, about two
 * hashes per entry, so roots and proofs at any past size cost O(log n). It can keep older leaves in 32 bytes each, and forget
 * the oldest but for the peaks behind them. {@link org.aspas.certify.log.MerkleTree} holds
 * the hash functions.
 *
 * <p>Verification never throws, whatever the proof holds. An inclusion proof by itself does not fix the size of the
 * tree, because trees of different sizes can have paths of equal shape; take size and root together from one signed
 * head or certificate and compare the proof's size with it. The index is fixed: with distinct leaves no path proves a
 * leaf at two indices of one tree.
 *
 * <p>Nothing here reads a clock, a file or a socket. The proofs are immutable; a log belongs to one thread at a time.
 */
@NullMarked
package org.aspas.certify.log;

import org.jspecify.annotations.NullMarked;
