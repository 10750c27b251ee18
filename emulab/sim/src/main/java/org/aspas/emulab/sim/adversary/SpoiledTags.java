package org.aspas.emulab.sim.adversary;

import java.util.function.BiFunction;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/** Servers that spoil the tags of batches, and nothing else: what that costs is time. */
final class SpoiledTags {
    private SpoiledTags() {}

    private static ByzantineBehavior changing(BiFunction<NodeId, Batch, Batch> change) {
        return new ByzantineBehavior() {
            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                boolean tagged = frame instanceof Frame.Plain plain
                        && plain.message() instanceof Batch batch
                        && batch.tags().length > 0;
                exit.node(
                        to,
                        tagged ? new Frame.Plain(change.apply(to, (Batch) ((Frame.Plain) frame).message())) : frame,
                        0);
            }
        };
    }

    private static Batch bare(Batch batch) {
        return new Batch(batch.head(), batch.entries());
    }

    /** Leaves tags out, for all or for all but one. */
    static ByzantineBehavior stripped(AdversaryContext power) {
        int served = power.chance().happens(0.5)
                ? -1
                : power.chance().index(power.quorums().appservers());
        return changing((to, batch) -> to.index() == served ? batch : bare(batch));
    }

    /** Sends any bytes for tags, or those of the neighbour. */
    static ByzantineBehavior garbled(AdversaryContext power) {
        return changing((to, batch) -> {
            byte[] tags = batch.tags();
            int rest = tags.length - TaggedRequest.TAG_BYTES;
            if (rest == 0 || power.chance().happens(0.5)) {
                return batch.tagged(power.chance().bytes(tags.length));
            }
            byte[] turned = new byte[tags.length];
            System.arraycopy(tags, TaggedRequest.TAG_BYTES, turned, 0, rest);
            System.arraycopy(tags, 0, turned, rest, TaggedRequest.TAG_BYTES);
            return batch.tagged(turned);
        });
    }

    /** Passes on what others send at once, so that it comes before theirs, without its tags. */
    static ByzantineBehavior relaying(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void heard(NodeId from, Frame frame, Exit exit) {
                if (frame instanceof Frame.Plain plain
                        && plain.message() instanceof Batch batch
                        && batch.head().message().origin() == from.index()) {
                    for (int peer = 0; peer < power.quorums().appservers(); peer++) {
                        if (peer != from.index() && peer != power.self().index()) {
                            exit.node(NodeId.appserver(peer), new Frame.Plain(bare(batch)), 0);
                        }
                    }
                }
            }
        };
    }
}
