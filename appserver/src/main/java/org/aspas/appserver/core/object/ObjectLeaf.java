package org.aspas.appserver.core.object;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreeLeaf;
import org.jspecify.annotations.Nullable;

/**
 * The leaf of an object: a state tree is also a view of all objects at its certificate. The certified state is here, or in the base alone
 * (docs/durability.md, "Objects in memory"). Then the leaf is the newest one at its path: an object changes only after its state was
 * brought here, so that whoever keeps an older tree finds in it the state that was replaced.
 *
 * <p>Both hashes are kept as words, since there may be millions of leaves. What a leaf stands for never changes; whether its state is here
 * does. Any thread may read it; the core's alone holds and releases.
 */
final class ObjectLeaf implements TreeLeaf {
    private final long path0;
    private final long path1;
    private final long path2;
    private final long path3;
    private final long value0;
    private final long value1;
    private final long value2;
    private final long value3;
    private final int contentBytes;
    private volatile @Nullable Held held;

    /** What a leaf stands for. */
    record Held(ObjectKey name, CertifiedObject object) {
        /** The hash that the leaf holds of them. */
        Hash value() {
            return object.leaf(name);
        }
    }

    private ObjectLeaf(Hash path, Hash value, Held held) {
        this.path0 = path.word(0);
        this.path1 = path.word(1);
        this.path2 = path.word(2);
        this.path3 = path.word(3);
        this.value0 = value.word(0);
        this.value1 = value.word(1);
        this.value2 = value.word(2);
        this.value3 = value.word(3);
        this.contentBytes = (int) Math.min(Integer.MAX_VALUE, held.object().contentBytes(held.name()));
        this.held = held;
    }

    static ObjectLeaf of(ObjectKey name, CertifiedObject object) {
        Held held = new Held(name, object);
        return new ObjectLeaf(StateTree.objectPath(name.key()), held.value(), held);
    }

    @Override
    public Hash path() {
        return Hash.ofWords(path0, path1, path2, path3);
    }

    @Override
    public Hash value() {
        return Hash.ofWords(value0, value1, value2, value3);
    }

    /** About how many bytes the object takes in a snapshot. */
    long contentBytes() {
        return contentBytes;
    }

    /** The object, while it is here. */
    @Nullable
    Held held() {
        return held;
    }

    /** Keeps the state here, which is that of the leaf. */
    void hold(Held state) {
        held = state;
    }

    /** Leaves the state to the base. */
    void release() {
        held = null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectLeaf that
                && path0 == that.path0
                && path1 == that.path1
                && path2 == that.path2
                && path3 == that.path3
                && value0 == that.value0
                && value1 == that.value1
                && value2 == that.value2
                && value3 == that.value3;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(path0) + 31 * Long.hashCode(value0);
    }
}
