/**
 * The state tree: a Merkle map whose 32-byte root stands for a whole state, and in which the presence of one value, or
 * the absence of any value, under one key can be proved alone.
 *
 * <p>The map takes 32-byte paths to 32-byte value hashes. Its byte format, with SHA-256 throughout, is:
 *
 * <ul>
 *   <li>path of an object = SHA-256("aspas/v1/object-path" ‖ 0x00 ‖ key in UTF-8);
 *   <li>path of a client = SHA-256("aspas/v1/client-path" ‖ 0x00 ‖ client id bytes);
 *   <li>hash of a subtree without leaves = 32 zero bytes;
 *   <li>hash of a subtree with exactly one leaf = SHA-256(0x00 ‖ path ‖ value hash), 65 bytes hashed, at whatever depth;
 *   <li>hash of a subtree with two leaves or more = SHA-256(0x01 ‖ hash of the left child ‖ hash of the right child), 65
 *       bytes hashed, where the subtree at depth d (the root is at depth 0) sends a leaf left when bit d of its path is 0
 *       and right when it is 1; bit 0 is the most significant bit of the first byte.
 * </ul>
 *
 * <p>So the shape, and with it the root, depends only on the set of (path, value hash) pairs and not on the order in
 * which they came. Runs of one-sided inner nodes are not compressed; among paths that are hashes they have a length near
 * log2 of the number of leaves, and never more than 256.
 *
 * <p>A key that is not well-formed UTF-16 has no UTF-8 form. Its unpaired surrogates are hashed as the three bytes that
 * the UTF-8 scheme would give their code points, so that different keys always have different paths.
 *
 * <p>A {@link org.aspas.certify.state.StateProof} for a path is (sibling hashes from the root's child downwards,
 * terminal): the terminal is what is found when the bits of the path are followed as far as they lead, either one leaf,
 * as (path, value hash), or nothing. It proves presence when the leaf is the wanted one, and absence when there is
 * nothing or the leaf of another path that shares all the bits followed. Under one root no path can be proved both
 * present and absent, or present with two values, unless SHA-256 collides; this holds also for roots that no honest
 * party computed.
 *
 * <p>The tags 0x00 and 0x01 are those of the origin logs too. A root must therefore be taken from a signed field that
 * says which kind of root it is; a certificate has one field for the state root and others for the log roots.
 *
 * <p>{@link org.aspas.certify.state.StateTree} is immutable: an update returns a new tree that shares all unchanged
 * subtrees, and hashes are computed when the root is first asked for. Everything here may be shared between threads.
 */
@NullMarked
package org.aspas.certify.state;

import org.jspecify.annotations.NullMarked;
