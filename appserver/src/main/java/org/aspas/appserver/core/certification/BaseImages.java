package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.StateView;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.BaseKeys;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Effect;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotLeaves;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** Makes the images that a base keeps, at a cost that does not depend on how much is certified. For one thread. */
public final class BaseImages extends CorePart {
    private final Logs logs;
    private final ObjectStore objects;
    private final Function<VersionVector, LeafBlockRoots> leaves;

    /** {@code leaves} gives what to keep of leaves at a certified version. */
    public BaseImages(
            CoreState context, Logs logs, ObjectStore objects, Function<VersionVector, LeafBlockRoots> leaves) {
        super(context);
        this.logs = logs;
        this.objects = objects;
        this.leaves = leaves;
    }

    /** An image. The leaves are written by whoever asks for them. What is known of leaves is null when it is not known what a base has of it. */
    private record Image(
            BaseHead beside,
            CertificateNumber number,
            StateView view,
            @Nullable LeafBlockRoots kept) implements BaseImage {
        @Override
        public byte[] head() {
            return beside.encode();
        }

        @Override
        public boolean rests(String key) {
            return view.rests(key);
        }

        @Override
        public void changesSince(@Nullable BaseImage before, Changes changes) {
            StateView held = before instanceof Image image ? image.view : null;
            if (kept != null) {
                kept.changesSince(before instanceof Image image ? image.kept : null, changes);
            }
            view.changesSince(held, new StateView.Visitor() {
                @Override
                public void put(Hash path, @Nullable Hash element, SnapshotLeaf content) {
                    changes.put(BaseKeys.leaf(path, element), SnapshotLeaves.encode(content));
                }

                @Override
                public void removed(Hash path, @Nullable Hash element) {
                    changes.remove(BaseKeys.leaf(path, element));
                }

                @Override
                public void elementsRemoved(Hash path) {
                    changes.removeBelow(BaseKeys.leaf(path, null));
                }
            });
        }
    }

    /** A certificate was adopted, or its snapshot installed: objects and logs are those of it. */
    public void adopted(Certificate certificate) {
        outbox.keep(new Effect.Keep(
                image(certificate, leaves.apply(certificate.content().version())), false));
    }

    /** Says that the base holds all up to this certificate, which is the newest here. */
    public Effect.Keep held(Certificate certificate) {
        return new Effect.Keep(image(certificate, null), true);
    }

    private Image image(Certificate certificate, @Nullable LeafBlockRoots kept) {
        return new Image(new BaseHead(ends(certificate), heads()), certificate.number(), objects.view(), kept);
    }

    public SnapshotHead ends(Certificate certificate) {
        List<SnapshotHead.LogEnd> ends = new ArrayList<>();
        for (int origin = 0; origin < certificate.content().version().size(); origin++) {
            LogEdge edge = logs.of(origin).edge(certificate.content().version().get(origin));
            ends.add(new SnapshotHead.LogEnd(edge.peaks(), edge.included()));
        }
        return new SnapshotHead(certificate, ends);
    }

    /** The newest head of each log that has one. */
    public List<Signed<Head>> heads() {
        List<Signed<Head>> heads = new ArrayList<>();
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            Optional<Signed<Head>> head = logs.of(origin).newestHead();
            head.ifPresent(heads::add);
        }
        return heads;
    }
}
