package org.aspas.emulab.sim.adversary;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.clock.Dot;
import org.aspas.emulab.sim.node.ObservedBehavior;
import org.aspas.emulab.sim.node.Outgoing;

/**
 * Tells when a server has first put two entries at one place of its log before correct parties: both in batches, or one in
 * an answer to an update. Two cores under one key do so only when both have written and both were heard.
 */
public final class ContradictionWatch implements ObservedBehavior.Witness {
    private final NodeId self;
    private final Predicate<NodeId> correct;
    private final Consumer<String> misdeeds;
    private final Runnable contradiction;
    private final Map<Long, Hash> shown = new HashMap<>();
    private final Map<Long, Set<Hash>> answered = new HashMap<>();
    private boolean told;

    /**
     * A server under observation.
     *
     * @param contradiction runs once, at the first contradiction
     */
    public ContradictionWatch(
            NodeId self, Predicate<NodeId> correct, Consumer<String> misdeeds, Runnable contradiction) {
        this.self = self;
        this.correct = correct;
        this.misdeeds = misdeeds;
        this.contradiction = contradiction;
    }

    private void tell() {
        if (!told) {
            told = true;
            contradiction.run();
        }
    }

    private void batch(NodeId to, Batch batch) {
        if (batch.head().message().origin() != self.index() || !correct.test(to)) {
            return;
        }
        long sequence = batch.head().message().size() - batch.entries().size();
        for (byte[] entry : batch.entries()) {
            sequence++;
            Hash leaf = MerkleTree.leafHash(entry);
            Hash before = shown.putIfAbsent(sequence, leaf);
            boolean otherwise =
                    answered.getOrDefault(sequence, Set.of()).stream().anyMatch(one -> !one.equals(leaf));
            if (otherwise || (before != null && !before.equals(leaf))) {
                tell();
            }
        }
    }

    private void answer(Response response) {
        Dot dot = response.dot();
        Hash leaf = response.leaf();
        if (dot == null || leaf == null || response.reference() == 0 || dot.origin() != self.index()) {
            return;
        }
        answered.computeIfAbsent(dot.sequence(), any -> new HashSet<>()).add(leaf);
        Hash other = shown.get(dot.sequence());
        if (other != null && !other.equals(leaf)) {
            tell();
        }
    }

    @Override
    public void misdeed(String what) {
        misdeeds.accept(what);
    }

    @Override
    public void sees(Outgoing what) {
        if (told) {
            return;
        }
        if (what instanceof Outgoing.ToNode node
                && node.to().role() == Role.APPSERVER
                && node.frame().message() instanceof Batch batch) {
            batch(node.to(), batch);
        } else if (what instanceof Outgoing.ToClient client && client.frame().message() instanceof Answer answer) {
            answer(answer.response().message());
        }
    }
}
