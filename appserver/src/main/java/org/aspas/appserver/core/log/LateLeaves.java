package org.aspas.appserver.core.log;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.crdt.clock.VersionVector;

/**
 * The hashes of leaves of entries that were forgotten. The shell keeps them in blocks. What comes late and is about such places waits
 * until their blocks are here, and no longer. When too much waits already it goes on without them: then these places count as
 * forgotten. For one thread.
 */
public final class LateLeaves extends CorePart {
    /** The most blocks that one question may need. */
    static final int MOST_BLOCKS = 32;

    private static final int MOST_WAITING = 64;
    /** For each asker. */
    private static final int MOST_WAITING_OF_ONE = 8;

    /** What waits: for which blocks still, and which it needs in all. */
    private record Waiting(
            Object whose, Set<MissingLeaves.Block> missing, Set<MissingLeaves.Block> needed, Runnable then) {}

    private final Logs logs;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Set<MissingLeaves.Block> asked = new HashSet<>();
    /** Up to which place the blocks of each origin may be gone. */
    private final Map<Integer, Long> dropped = new TreeMap<>();

    public LateLeaves(CoreState context, Logs logs) {
        super(context);
        this.logs = logs;
    }

    public MissingLeaves needs() {
        return new MissingLeaves(logs);
    }

    public MissingLeaves needs(Response response) {
        MissingLeaves needs = needs().sizes(response.version());
        return response.dot() == null ? needs : needs.place(response.dot());
    }

    public MissingLeaves needs(Frame frame) {
        Message message = frame instanceof Frame.Plain plain ? plain.message() : null;
        if (message instanceof Batch batch) {
            return needs(batch);
        }
        if (message instanceof CertifiedEntries sent) {
            long after = sent.before().oldSize();
            return needs().between(sent.origin(), after, after + sent.entries().size());
        }
        MissingLeaves needs =
                message instanceof WrongAnswer wrong ? needs(wrong.response().message()) : needs();
        if (message instanceof Frontier frontier) {
            for (Signed<Head> head : frontier.heads()) {
                needs.size(head.message().origin(), head.message().size());
            }
        }
        return needs;
    }

    /** What a batch needs: all places that it fills, as far as they are filled here. */
    public MissingLeaves needs(Batch batch) {
        Head head = batch.head().message();
        return needs().between(head.origin(), head.size() - batch.entries().size(), head.size());
    }

    /**
     * Goes on when the blocks that are needed are here, as far as they can be had.
     *
     * @param whose of whom not too much may wait
     * @param then what comes after it: now, or in a later step
     */
    public void with(Object whose, MissingLeaves needs, Runnable then) {
        Set<MissingLeaves.Block> blocks = needs.blocks();
        if (blocks.isEmpty()) {
            then.run();
            return;
        }
        long ofOne = waiting.stream().filter(one -> one.whose().equals(whose)).count();
        if (blocks.size() > MOST_BLOCKS || waiting.size() >= MOST_WAITING || ofOne >= MOST_WAITING_OF_ONE) {
            counters.count("leaves_refused");
            then.run();
            return;
        }
        counters.count("leaves_awaited");
        waiting.add(new Waiting(whose, new HashSet<>(blocks), Set.copyOf(blocks), then));
        for (MissingLeaves.Block block : blocks) {
            if (asked.add(block)) {
                outbox.leaves(new Effect.LoadLeaves(block.origin(), block.first()));
            }
        }
    }

    public void loaded(Event.LeavesLoaded event) {
        MissingLeaves.Block which = new MissingLeaves.Block(event.origin(), event.first());
        if (!asked.remove(which)) {
            return;
        }
        LeafBlock block = event.block();
        if (block == null
                || block.first() != event.first()
                || !logs.of(event.origin()).tree().putBack(block)) {
            counters.count("leaves_missing");
        }
        List<Waiting> complete = new ArrayList<>();
        waiting.removeIf(one -> one.missing().remove(which) && one.missing().isEmpty() && complete.add(one));
        // A server that became amnesiac meanwhile has no word for clients any more: they ask again.
        complete.removeIf(one -> one.whose() instanceof ClientId && condition.amnesiac());
        complete.forEach(one -> one.then().run());
        keepNeeded();
    }

    private void keepNeeded() {
        for (int origin = 0; origin < logs.origins(); origin++) {
            Set<Long> firsts = new TreeSet<>();
            for (Waiting one : waiting) {
                for (MissingLeaves.Block block : one.needed()) {
                    if (block.origin() == origin) {
                        firsts.add(block.first());
                    }
                }
            }
            logs.of(origin).tree().keepBack(firsts);
        }
    }

    /** Forgets the entries up to a certified version, and their leaves up to another one that it dominates. */
    public void forget(VersionVector edge, VersionVector leaves) {
        logs.forget(edge, leaves);
    }

    /** Tells the shell which blocks are forgotten, if any are since the last time: those of an earlier process, too. */
    public void drop() {
        for (int origin = 0; origin < logs.origins(); origin++) {
            long place = logs.of(origin).tree().start();
            if (!Long.valueOf(place).equals(dropped.put(origin, place))) {
                outbox.leaves(new Effect.DropLeaves(origin, place));
            }
        }
    }

    public void measure(Map<String, Long> gauges) {
        gauges.put("leaves_waiting", (long) waiting.size());
    }
}
