package org.aspas.emulab.sim.role;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.SnapshotChunk;
import org.aspas.certify.message.SnapshotHead;
import org.aspas.certify.message.SnapshotLeaf;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.node.ServerConduct;
import org.jspecify.annotations.Nullable;

/**
 * A server that gives who needs the certified state another one. Some of its heads name a state that nobody certified, have logs whose
 * ends are changed or cut off, or are those of an old snapshot. The others are genuine, so that it is asked for parts, and each of these
 * differs in one leaf. It offers itself again unasked.
 */
final class ForgedSnapshots implements ServerConduct {
    private static final double FORGED_HEADS = 0.4;
    private static final double OFFERS = 0.02;

    /** What of a part is another than the certified one. */
    private enum Lie {
        CLIENT,
        ELEMENT,
        OBJECT,
        LEFT_OUT,
        DOUBLED,
        OLD
    }

    private final Power power;
    private final Map<NodeId, SnapshotHead> offered = new TreeMap<>();
    private final Map<Lie, Function<SnapshotChunk, Optional<SnapshotChunk>>> lies = new EnumMap<>(Lie.class);
    private @Nullable SnapshotHead oldHead;
    private @Nullable SnapshotChunk oldPart;

    ForgedSnapshots(Power power) {
        this.power = power;
        lies.put(
                Lie.CLIENT,
                chunk -> changed(
                        chunk,
                        leaf -> leaf instanceof SnapshotLeaf.OfClient one
                                ? Optional.of(client(one))
                                : Optional.empty()));
        lies.put(Lie.ELEMENT, chunk -> changed(chunk, ForgedSnapshots::element));
        lies.put(
                Lie.OBJECT,
                chunk -> changed(
                        chunk,
                        leaf -> leaf instanceof SnapshotLeaf.Whole one
                                ? Optional.of(new SnapshotLeaf.Whole(one.key(), one.type(), other(one.state())))
                                : Optional.empty()));
        lies.put(
                Lie.LEFT_OUT,
                chunk -> some(chunk).map(at -> {
                    List<SnapshotLeaf> fewer = new ArrayList<>(chunk.leaves());
                    fewer.remove((int) at);
                    return with(chunk, fewer);
                }));
        lies.put(
                Lie.DOUBLED,
                chunk -> some(chunk).map(at -> {
                    List<SnapshotLeaf> more = new ArrayList<>(chunk.leaves());
                    more.add(at, more.get(at));
                    return with(chunk, more);
                }));
        lies.put(Lie.OLD, this::old);
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        if (frame instanceof Frame.Plain plain
                && plain.message() instanceof SnapshotHead head
                && head.certificate() != null) {
            exit.node(to, new Frame.Plain(head(to, head, head.certificate())), 0);
        } else if (frame instanceof Frame.Plain plain
                && plain.message() instanceof SnapshotChunk chunk
                && chunk.proof() != null) {
            forged(chunk).ifPresentOrElse(lie -> exit.node(to, new Frame.Plain(lie), 0), () -> exit.node(to, frame, 0));
        } else {
            exit.node(to, frame, 0);
        }
    }

    @Override
    public void tick(Exit exit) {
        offered.forEach((to, head) -> {
            if (power.chance().happens(OFFERS)) {
                exit.node(to, new Frame.Plain(head), 0);
            }
        });
    }

    // ---- Heads ----

    private SnapshotHead head(NodeId to, SnapshotHead genuine, Certificate certificate) {
        SnapshotHead before = oldHead;
        if (before == null) {
            oldHead = genuine;
        }
        if (!power.chance().happens(FORGED_HEADS)) {
            offered.put(to, genuine);
            return genuine;
        }
        return switch (power.chance().index(4)) {
            case 0 -> new SnapshotHead(anotherState(certificate), genuine.logs());
            case 1 -> before == null ? edges(genuine, this::cutOff) : before;
            case 2 -> edges(genuine, this::anotherPeak);
            default -> edges(genuine, this::cutOff);
        };
    }

    private Certificate anotherState(Certificate genuine) {
        CertificateContent content = genuine.content();
        CertificateContent other = new CertificateContent(
                content.deployment(),
                content.number(),
                content.previous(),
                content.version(),
                content.roots(),
                Hash.of(power.chance().bytes(Hash.LENGTH)),
                content.exclusions());
        return new Certificate(other, Codec.encode(other), genuine.signatures());
    }

    private SnapshotHead edges(SnapshotHead genuine, Function<SnapshotHead.LogEnd, SnapshotHead.LogEnd> lie) {
        List<SnapshotHead.LogEnd> logs = new ArrayList<>(genuine.logs());
        int origin = power.chance().index(logs.size());
        logs.set(origin, lie.apply(logs.get(origin)));
        return new SnapshotHead(genuine.certificate(), logs);
    }

    private SnapshotHead.LogEnd anotherPeak(SnapshotHead.LogEnd end) {
        List<Hash> peaks = new ArrayList<>(end.peaks());
        if (!peaks.isEmpty()) {
            peaks.set(power.chance().index(peaks.size()), Hash.of(power.chance().bytes(Hash.LENGTH)));
        }
        return new SnapshotHead.LogEnd(peaks, end.last());
    }

    private SnapshotHead.LogEnd cutOff(SnapshotHead.LogEnd end) {
        List<Hash> peaks = end.peaks();
        return power.chance().happens(0.5)
                ? new SnapshotHead.LogEnd(peaks.subList(0, Math.max(0, peaks.size() - 1)), end.last())
                : new SnapshotHead.LogEnd(peaks, null);
    }

    // ---- Parts ----

    private Optional<SnapshotChunk> forged(SnapshotChunk genuine) {
        for (Lie lie : power.chance().shuffled(List.of(Lie.values()))) {
            Optional<SnapshotChunk> forged = lies.get(lie).apply(genuine);
            if (forged.isPresent()) {
                return forged;
            }
        }
        return Optional.empty();
    }

    /** A part as it was at an earlier certificate, under the name of this one. */
    private Optional<SnapshotChunk> old(SnapshotChunk genuine) {
        SnapshotChunk before = oldPart;
        if (before == null || before.number().equals(genuine.number())) {
            oldPart = before == null ? genuine : before;
            return Optional.empty();
        }
        return Optional.of(new SnapshotChunk(genuine.number(), genuine.place(), before.proof(), before.leaves()))
                .filter(part -> !before.leaves().equals(genuine.leaves()));
    }

    private Optional<Integer> some(SnapshotChunk chunk) {
        return chunk.leaves().isEmpty()
                ? Optional.empty()
                : Optional.of(power.chance().index(chunk.leaves().size()));
    }

    private static SnapshotChunk with(SnapshotChunk chunk, List<SnapshotLeaf> leaves) {
        return new SnapshotChunk(chunk.number(), chunk.place(), chunk.proof(), leaves);
    }

    /** One of the leaves for which there is another one. */
    private Optional<SnapshotChunk> changed(SnapshotChunk chunk, Function<SnapshotLeaf, Optional<SnapshotLeaf>> other) {
        List<Integer> places = new ArrayList<>();
        for (int at = 0; at < chunk.leaves().size(); at++) {
            if (other.apply(chunk.leaves().get(at)).isPresent()) {
                places.add(at);
            }
        }
        if (places.isEmpty()) {
            return Optional.empty();
        }
        List<SnapshotLeaf> leaves = new ArrayList<>(chunk.leaves());
        int at = power.chance().pick(places);
        leaves.set(at, other.apply(leaves.get(at)).orElseThrow());
        return Optional.of(with(chunk, leaves));
    }

    private SnapshotLeaf client(SnapshotLeaf.OfClient one) {
        return switch (power.chance().index(3)) {
            case 0 ->
                new SnapshotLeaf.OfClient(
                        one.client(), one.session() + 1, one.tolerance(), one.full(), one.rest(), one.blocks());
            case 1 ->
                new SnapshotLeaf.OfClient(
                        one.client(), one.session(), one.tolerance(), one.full() + 1, one.rest(), one.blocks());
            default ->
                new SnapshotLeaf.OfClient(
                        one.client(), one.session(), one.tolerance() + 1, one.full(), one.rest(), one.blocks());
        };
    }

    private static Optional<SnapshotLeaf> element(SnapshotLeaf leaf) {
        if (leaf instanceof SnapshotLeaf.Element element) {
            return Optional.of(new SnapshotLeaf.Element(Value.of("forged"), element.state()));
        }
        List<SnapshotLeaf.Element> elements = leaf instanceof SnapshotLeaf.OfElements object ? object.elements() : null;
        if (elements == null || elements.isEmpty() || !(leaf instanceof SnapshotLeaf.OfElements object)) {
            return Optional.empty();
        }
        // The root stays the certified one: only whoever builds the tree of the elements sees that one is another.
        List<SnapshotLeaf.Element> others = new ArrayList<>(elements);
        others.set(
                0, new SnapshotLeaf.Element(Value.of("forged"), elements.get(0).state()));
        return Optional.of(
                new SnapshotLeaf.OfElements(object.key(), object.type(), object.size(), object.root(), others));
    }

    private static Value other(Value value) {
        if (value instanceof Value.Int number) {
            return Value.of(number.value() + 1);
        }
        return value instanceof Value.Sequence some && !some.items().isEmpty()
                ? Value.sequence(
                        some.items().stream().map(ForgedSnapshots::other).toList())
                : Value.of("forged");
    }
}
