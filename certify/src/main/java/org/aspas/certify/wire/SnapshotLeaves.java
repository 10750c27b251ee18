package org.aspas.certify.wire;

import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateTree;

/** The leaves of state trees that the contents of a snapshot stand for (docs/formats.md, §6). Pure functions; thread-safe. */
public final class SnapshotLeaves {
    private static final int TYPICAL_BYTES = 256;

    private SnapshotLeaves() {}

    public static byte[] encode(SnapshotLeaf content) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        new SnapshotPartWriter(out, new MessageWriter(out)).leaf(content);
        return out.toBytes();
    }

    public static Decoded<SnapshotLeaf> decode(byte[] bytes) {
        return Codec.total(bytes, in -> new SnapshotPartReader(in, new MessageReader(in)).leaf());
    }

    /** The leaf that a content stands for. The content may be anything, for it can come from a stranger. */
    public static StateLeaf of(SnapshotLeaf content) {
        if (content instanceof SnapshotLeaf.Whole whole) {
            return new StateLeaf(
                    StateTree.objectPath(whole.key()), StateLeaves.object(whole.key(), whole.type(), whole.state()));
        }
        if (content instanceof SnapshotLeaf.OfElements object) {
            return new StateLeaf(
                    StateTree.objectPath(object.key()),
                    StateLeaves.object(object.key(), object.type(), object.size(), object.root()));
        }
        if (content instanceof SnapshotLeaf.Element element) {
            return new StateLeaf(
                    StateLeaves.elementPath(element.element()),
                    StateLeaves.element(element.element(), StateLeaves.shortForm(element.state())));
        }
        SnapshotLeaf.OfClient client = (SnapshotLeaf.OfClient) content;
        return new StateLeaf(
                StateTree.clientPath(client.client().toBytes()),
                StateLeaves.client(
                        client.client(),
                        client.session(),
                        client.tolerance(),
                        client.full(),
                        client.rest(),
                        client.blocks().stream().map(StateLeaves::countedBlock).toList()));
    }
}
