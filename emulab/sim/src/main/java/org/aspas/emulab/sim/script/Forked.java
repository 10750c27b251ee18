package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;

/**
 * A server gives two of the others one entry, and the third another one with other dependencies under the same dot. UnaskedSends, a client that
 * colludes has the liar's answers inspected; or a correct server's entry depends on what lies beyond the liar's cut, and more than a
 * thousand updates follow the exclusion.
 */
final class Forked extends Schedule {
    private static final int WRITES = 1_000;
    private static final long MOST_UNSEEN = 5 * Timeline.SECOND;

    /** What else has to come about. */
    enum Also {
        NOTHING,
        INSPECTIONS,
        WRITES_BEYOND_THE_CUT
    }

    private final Also also;
    /** By liar and sequence: the dependencies that were shown, and to whom. */
    private final Map<List<Long>, Map<VersionVector, Set<Integer>>> shown = new HashMap<>();
    /** By liar: how much of its log an entry of a correct server depends on. */
    private final TreeMap<Integer, Long> dependedOn = new TreeMap<>();

    private final Map<Integer, Long> cuts = new TreeMap<>();
    private Predicate<ClientId> isCorrect = any -> false;
    private boolean forked;
    private long inspected;
    private long writes;

    Forked(Also also) {
        super("forked");
        this.also = also;
        on(
                Fact.Inspected.class,
                fact -> inspected += isCorrect.test(fact.reply().client()) ? 0 : 1);
        on(Fact.Adopted.class, fact -> {
            for (Exclusion one : fact.certificate().content().exclusions()) {
                cuts.put(one.origin(), one.cut());
            }
        });
        on(Fact.Submitted.class, fact -> writes += cuts.isEmpty() ? 0 : 1);
    }

    @Override
    void begin(SimulatedSystem made) {
        isCorrect = made::isCorrect;
        watch(made);
        made.timeline.at(MOST_UNSEEN, () -> release(made));
    }

    private void watch(SimulatedSystem made) {
        made.world.network().gate((from, to, wire) -> {
            if (from.role() != Role.APPSERVER
                    || to.role() != Role.APPSERVER
                    || !made.participants.correct(to.index())
                    || !(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)
                    || !(accepted.value() instanceof Frame.Plain plain)) {
                return false;
            }
            if (plain.message() instanceof Batch batch) {
                look(made, from, to, batch);
            }
            return early(made) && made.participants.correct(from.index()) && plain.message() instanceof Frontier;
        });
    }

    /** Before the fork stands, the correct servers do not compare their heads, which would end it. */
    private boolean early(SimulatedSystem made) {
        return !forked && also != Also.WRITES_BEYOND_THE_CUT && made.timeline.now() < MOST_UNSEEN;
    }

    /** Sends what was kept, and looks on. */
    private void release(SimulatedSystem made) {
        made.world.network().release();
        watch(made);
    }

    private void look(SimulatedSystem made, NodeId from, NodeId to, Batch batch) {
        for (byte[] bytes : batch.entries()) {
            Optional<Entry> entry = Codec.decode(bytes, Entry.class).accepted();
            if (entry.isEmpty()) {
                continue;
            }
            int origin = entry.get().dot().origin();
            if (!made.participants.correct(origin)) {
                shown(made, origin, entry.get(), to.index());
            } else if (origin == from.index()) {
                depends(made, entry.get().dependencies());
            }
        }
    }

    private void shown(SimulatedSystem made, int liar, Entry entry, int to) {
        Map<VersionVector, Set<Integer>> variants =
                shown.computeIfAbsent(List.of((long) liar, entry.dot().sequence()), any -> new HashMap<>());
        variants.computeIfAbsent(entry.dependencies(), any -> new TreeSet<>()).add(to);
        Set<Integer> all = new TreeSet<>();
        variants.values().forEach(all::addAll);
        if (!forked && variants.size() > 1 && all.containsAll(made.participants.correctAppservers())) {
            forked = true;
            made.timeline.after(0, () -> release(made));
        }
    }

    private void depends(SimulatedSystem made, VersionVector dependencies) {
        for (int liar : made.participants.liars()) {
            dependedOn.merge(liar, dependencies.get(liar), Math::max);
        }
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!forked && also != Also.WRITES_BEYOND_THE_CUT) {
            missing.add("no dot was shown with two dependencies to all correct servers");
        }
        if (also == Also.INSPECTIONS && inspected == 0) {
            missing.add("the colluding client had nothing inspected");
        }
        if (also == Also.WRITES_BEYOND_THE_CUT) {
            if (cuts.entrySet().stream().noneMatch(cut -> dependedOn.getOrDefault(cut.getKey(), 0L) > cut.getValue())) {
                missing.add("no correct server depended on more than the cuts " + cuts + ", but on " + dependedOn);
            }
            if (writes < WRITES) {
                missing.add("only " + writes + " updates followed the exclusion");
            }
        }
        return missing;
    }
}
