package org.aspas.certify.wire;

import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateTree;

/** The leaves of state trees that the contents of a snapshot stand for (docs/formats.md, §6). Pure functions; thread-safe. */
public final class SnapshotLeaves {
    /** The number that opens a content, and what is behind it. */
    static final Item<SnapshotLeaf> ITEM =
            Item.<SnapshotLeaf>array(items -> switch ((int) items.upTo(4, SnapshotLeaves::number)) {
                case 1 -> SnapshotLeaf.Whole.SCHEMA.of(items.as());
                case 2 -> SnapshotLeaf.OfElements.SCHEMA.of(items.as());
                case 3 -> SnapshotLeaf.Element.SCHEMA.of(items.as());
                case 4 -> SnapshotLeaf.OfClient.SCHEMA.of(items.as());
                default -> throw new Malformed("no leaf of a snapshot has this number");
            });

    private static final int TYPICAL_BYTES = 256;

    private SnapshotLeaves() {}

    private static int number(SnapshotLeaf content) {
        if (content instanceof SnapshotLeaf.Whole) {
            return 1;
        }
        if (content instanceof SnapshotLeaf.OfElements) {
            return 2;
        }
        return content instanceof SnapshotLeaf.Element ? 3 : 4;
    }

    public static byte[] encode(SnapshotLeaf content) {
        CborWriter out = new CborWriter(TYPICAL_BYTES);
        ITEM.write(out, content);
        return out.toBytes();
    }

    public static Decoded<SnapshotLeaf> decode(byte[] bytes) {
        return Codec.total(bytes, ITEM::read);
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
