package org.aspas.certify.state;

import org.aspas.certify.identity.Hash;

/**
 * One leaf of a state tree.
 *
 * @param path where the leaf belongs, usually from {@link StateTree#objectPath} or {@link StateTree#clientPath}
 * @param value the hash of the value that is kept there
 */
public record StateLeaf(Hash path, Hash value) implements TreeLeaf {
    static final byte TAG = 0x00;

    public static StateLeaf of(TreeLeaf leaf) {
        return leaf instanceof StateLeaf same ? same : new StateLeaf(leaf.path(), leaf.value());
    }
}
