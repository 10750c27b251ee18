package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Message;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/**
 * A server that makes entries of correct servers and its own wait for each other. Most servers get its core's log; they deliver
 * its entries, and the next entries of theirs depend on these. Up to f others get nothing of that log, until a version is asked
 * for that has an entry of theirs which depends on one that is kept from them: now they get a branch in which that one depends
 * on the other. Whoever holds the branch and the other entry can deliver neither, and is asked for a version with both.
 */
final class CyclicBranch implements ByzantineBehavior {
    private final AdversaryContext context;
    private final List<Entry> own = new ArrayList<>();

    /** The misled servers, and how much of the log each said to have. */
    private final Map<Integer, Long> misled = new TreeMap<>();

    /** Of each other origin's entries, how much of the own log they depend on. */
    private final Map<Dot, Long> naming = new TreeMap<>();

    private final ForgedLog.MadeLog made;

    /** The place of the first entry that differs; 0 before there is one. */
    private long forked;

    private VersionVector lie;

    CyclicBranch(AdversaryContext context) {
        this.context = context;
        this.made = new ForgedLog.MadeLog(context);
        this.lie = VersionVector.zero(context.quorums().appservers());
        long count = context.chance().between(1, context.quorums().f());
        context.chance().shuffled(context.peers()).stream().limit(count).forEach(peer -> misled.put(peer.index(), 0L));
    }

    // ---- Making the branch ----

    private void copy(Batch batch) {
        long sequence = batch.head().message().size() - batch.entries().size();
        for (byte[] bytes : batch.entries()) {
            sequence++;
            if (sequence == own.size() + 1L) {
                Codec.decode(bytes, Entry.class).accepted().ifPresent(own::add);
            }
        }
        extend();
    }

    private void extend() {
        while (forked > 0 && made.size() < own.size()) {
            Entry entry = own.get((int) made.size());
            boolean lies = made.size() + 1 >= forked;
            made.append(entry.body(), lies ? entry.dependencies().join(lie) : entry.dependencies());
        }
    }

    /** An entry within the goal that depends on what all the misled lack. */
    private Optional<Dot> victim(VersionVector goal, long lacked) {
        return naming.entrySet().stream()
                .filter(named -> named.getValue() >= lacked && goal.covers(named.getKey()))
                .map(Map.Entry::getKey)
                .filter(dot -> !misled.containsKey(dot.origin()))
                .findFirst();
    }

    private void strike(VersionVector goal, Exit exit) {
        long lacked = 1 + misled.values().stream().mapToLong(had -> had).max().orElse(0);
        Optional<Dot> victim = victim(goal, lacked);
        if (lacked > Math.min(goal.get(made.self()), own.size()) || victim.isEmpty()) {
            return;
        }
        forked = lacked;
        lie = lie.with(victim.get().origin(), victim.get().sequence());
        extend();
        misled.forEach(
                (peer, had) -> exit.node(NodeId.appserver(peer), new Frame.Plain(made.batch(had, made.size())), 0));
    }

    // ---- Showing it ----

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        Message message = frame.message();
        boolean lied = to.role() == Role.APPSERVER
                && misled.containsKey(to.index())
                && context.begun().getAsBoolean();
        if (message instanceof Batch batch && batch.head().message().origin() == made.self()) {
            copy(batch);
            long end = batch.head().message().size();
            if (!lied || (forked > 0 && end < forked)) {
                exit.node(to, frame, 0);
            } else if (forked > 0 && end <= made.size()) {
                exit.node(to, new Frame.Plain(made.batch(end - batch.entries().size(), end)), 0);
            }
        } else if (lied && message instanceof Frontier) {
            exit.node(to, TwoHistories.withoutOwnHead(context, frame), 0);
        } else {
            exit.node(to, frame, 0);
        }
    }

    /** The core must not learn of the branch: it would take its own store for an older one, and stop. */
    @Override
    public Frame incoming(NodeId from, Frame frame) {
        return TwoHistories.withoutOwnHead(context, frame);
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        if (frame.message() instanceof BftReqStable asked) {
            if (forked == 0
                    && asked.version().size() == lie.size()
                    && context.begun().getAsBoolean()) {
                strike(asked.version(), exit);
            }
        } else if (frame.message() instanceof Frontier frontier) {
            if (frontier.version().size() == lie.size()) {
                long has = frontier.version().get(made.self());
                misled.computeIfPresent(from.index(), (peer, had) -> Math.max(had, has));
            }
        } else if (forked == 0 && frame.message() instanceof Batch batch) {
            batch.entries().stream()
                    .map(bytes -> Codec.decode(bytes, Entry.class).accepted())
                    .flatMap(Optional::stream)
                    .filter(entry -> entry.dependencies().size() == lie.size())
                    .forEach(entry ->
                            naming.put(entry.dot(), entry.dependencies().get(made.self())));
        }
    }
}
