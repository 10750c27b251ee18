package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server that gives who needs the certified state another one. Some of its heads name a state that nobody certified, have logs whose
 * ends are changed or cut off, or are those of an old snapshot. The others are genuine, so that it is asked for parts, and each of these
 * differs in one leaf. It offers itself again unasked.
 */
final class ForgedSnapshots {
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

    private final AdversaryContext context;
    private final Map<NodeId, SnapshotHead> offered = new TreeMap<>();
    private @Nullable SnapshotHead oldHead;
    private @Nullable SnapshotChunk oldPart;

    private ForgedSnapshots(AdversaryContext context) {
        this.context = context;
    }

    static Rules rules(AdversaryContext context) {
        ForgedSnapshots party = new ForgedSnapshots(context);
        return new Rules(context)
                .on(SnapshotHead.class)
                .act(party::head)
                .on(SnapshotChunk.class)
                .when(chunk -> chunk.proof() != null)
                .act((chunk, due) -> party.forged(chunk).ifPresentOrElse(due::send, due::pass))
                .onTick(party::offer);
    }

    private void offer(ByzantineBehavior.Exit exit) {
        offered.forEach((to, head) -> {
            if (context.chance().happens(OFFERS)) {
                exit.node(to, new Frame.Plain(head), 0);
            }
        });
    }

    // ---- Heads ----

    private void head(SnapshotHead genuine, Rules.Due due) {
        Certificate certificate = genuine.certificate();
        if (certificate == null) {
            due.pass();
            return;
        }
        SnapshotHead before = oldHead;
        if (before == null) {
            oldHead = genuine;
        }
        if (context.chance().happens(FORGED_HEADS)) {
            due.send(forged(genuine, certificate, before));
        } else {
            offered.put(NodeId.appserver(due.index()), genuine);
            due.pass();
        }
    }

    private SnapshotHead forged(SnapshotHead genuine, Certificate certificate, @Nullable SnapshotHead before) {
        return switch (context.chance().index(4)) {
            case 0 -> new SnapshotHead(anotherState(certificate), genuine.logs());
            case 1 -> before == null ? edges(genuine, this::cutOff) : before;
            case 2 -> edges(genuine, this::anotherPeak);
            default -> edges(genuine, this::cutOff);
        };
    }

    private Certificate anotherState(Certificate genuine) {
        CertificateContent content = genuine.content();
        CertificateContent other = with(content, "state", context.anyHash());
        return new Certificate(other, Codec.encode(other), genuine.signatures());
    }

    private SnapshotHead edges(SnapshotHead genuine, Function<SnapshotHead.LogEnd, SnapshotHead.LogEnd> lie) {
        List<SnapshotHead.LogEnd> logs = new ArrayList<>(genuine.logs());
        int origin = context.chance().index(logs.size());
        logs.set(origin, lie.apply(logs.get(origin)));
        return with(genuine, "logs", logs);
    }

    private SnapshotHead.LogEnd anotherPeak(SnapshotHead.LogEnd end) {
        List<Hash> peaks = new ArrayList<>(end.peaks());
        if (!peaks.isEmpty()) {
            peaks.set(context.chance().index(peaks.size()), context.anyHash());
        }
        return new SnapshotHead.LogEnd(peaks, end.last());
    }

    private SnapshotHead.LogEnd cutOff(SnapshotHead.LogEnd end) {
        List<Hash> peaks = end.peaks();
        return context.chance().happens(0.5)
                ? new SnapshotHead.LogEnd(peaks.subList(0, Math.max(0, peaks.size() - 1)), end.last())
                : new SnapshotHead.LogEnd(peaks, null);
    }

    // ---- Parts ----

    private Optional<SnapshotChunk> forged(SnapshotChunk genuine) {
        for (Lie lie : context.chance().shuffled(List.of(Lie.values()))) {
            Optional<SnapshotChunk> forged = forged(lie, genuine);
            if (forged.isPresent()) {
                return forged;
            }
        }
        return Optional.empty();
    }

    private Optional<SnapshotChunk> forged(Lie lie, SnapshotChunk genuine) {
        return switch (lie) {
            case CLIENT -> changed(genuine, this::client);
            case ELEMENT -> changed(genuine, ForgedSnapshots::element);
            case OBJECT -> changed(genuine, ForgedSnapshots::object);
            case LEFT_OUT -> otherwise(genuine, (leaves, at) -> leaves.remove((int) at));
            case DOUBLED -> otherwise(genuine, (leaves, at) -> leaves.add(at, leaves.get(at)));
            case OLD -> old(genuine);
        };
    }

    /** A part as it was at an earlier certificate, under the name of this one. */
    private Optional<SnapshotChunk> old(SnapshotChunk genuine) {
        SnapshotChunk before = oldPart;
        if (before == null || before.number().equals(genuine.number())) {
            oldPart = before == null ? genuine : before;
            return Optional.empty();
        }
        return Optional.of(with(genuine, "proof", before.proof(), "leaves", before.leaves()))
                .filter(part -> !before.leaves().equals(genuine.leaves()));
    }

    /** One of the leaves is not there, or more often. */
    private Optional<SnapshotChunk> otherwise(SnapshotChunk chunk, BiConsumer<List<SnapshotLeaf>, Integer> lie) {
        List<SnapshotLeaf> leaves = new ArrayList<>(chunk.leaves());
        if (leaves.isEmpty()) {
            return Optional.empty();
        }
        lie.accept(leaves, context.chance().index(leaves.size()));
        return Optional.of(with(chunk, "leaves", leaves));
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
        int at = context.chance().pick(places);
        leaves.set(at, other.apply(leaves.get(at)).orElseThrow());
        return Optional.of(with(chunk, "leaves", leaves));
    }

    private Optional<SnapshotLeaf> client(SnapshotLeaf leaf) {
        if (!(leaf instanceof SnapshotLeaf.OfClient one)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (context.chance().index(3)) {
                    case 0 -> with(one, "session", one.session() + 1);
                    case 1 -> with(one, "tolerance", one.tolerance() + 1);
                    default -> with(one, "full", one.full() + 1);
                });
    }

    private static Optional<SnapshotLeaf> object(SnapshotLeaf leaf) {
        return leaf instanceof SnapshotLeaf.Whole one
                ? Optional.of(new SnapshotLeaf.Whole(one.key(), one.type(), other(one.state())))
                : Optional.empty();
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
        return Optional.of(with(object, "elements", others));
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
