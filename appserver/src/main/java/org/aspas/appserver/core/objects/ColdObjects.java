package org.aspas.appserver.core.objects;

import java.util.Optional;
import org.aspas.appserver.core.port.BaseReader;
import org.aspas.certify.codec.SnapshotLeaves;
import org.aspas.certify.message.CertificateNumber;

/**
 * Brings back objects that are in the base alone. Each is verified: what comes has to be what its leaf stands for. For one thread.
 */
final class ColdObjects {
    /** An object is left to the base only when its state has no more bytes than this: larger ones cost too much to bring back. */
    private static final long MOST_BYTES = 32 << 10;

    /** What an object takes in memory beside its state and its leaf, in bytes; measured. */
    private static final long OBJECT_BYTES = 750;

    private final BaseReader base;

    ColdObjects(BaseReader base) {
        this.base = base;
    }

    /** The base has not what it was given: the server must end, and finds at its next start that its base is gone. */
    static final class LostException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        LostException(ObjectLeaf leaf) {
            super("the base does not give back the object at " + leaf.path() + " as it was: the base is damaged");
        }
    }

    /** About how many bytes of memory an object takes. */
    static long weight(CertifiedObject object) {
        return OBJECT_BYTES + object.state().bytes();
    }

    /** Whether an object may be left to a base. */
    static boolean may(CertifiedObject object) {
        return object.state().bytes() <= MOST_BYTES;
    }

    /** For how many bytes there is room in memory. */
    long room() {
        return base.room();
    }

    /** The certificate at which the base has all objects. */
    CertificateNumber holds() {
        return base.holds();
    }

    /**
     * What a leaf stands for, wherever it is. It stays where it is.
     *
     * @throws LostException when the base does not have it
     */
    ObjectLeaf.Held look(ObjectLeaf leaf) {
        ObjectLeaf.Held held = leaf.held();
        return held == null ? load(leaf).orElseThrow(() -> new LostException(leaf)) : held;
    }

    private Optional<ObjectLeaf.Held> load(ObjectLeaf leaf) {
        ObjectLoading loading = new ObjectLoading();
        boolean[] right = {true};
        boolean all = base.contents(BaseKeys.leaf(leaf.path(), null), (key, content) -> {
            right[0] &= SnapshotLeaves.decode(content)
                    .accepted()
                    .filter(loading::take)
                    .isPresent();
            return right[0];
        });
        return all && right[0] ? loading.object().filter(held -> held.value().equals(leaf.value())) : Optional.empty();
    }
}
