package org.aspas.emulab.sim.role;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.aspas.appserver.core.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.emulab.sim.node.ServerConduct;

/**
 * Tells when a server has first put two entries at one place of its log before correct parties: both in batches, or one in
 * an answer to an update. Two cores under one key do so only when both have written and both were heard.
 */
public final class ContradictionWatch extends ConductAround {
    private final NodeId self;
    private final Predicate<NodeId> correct;
    private final Runnable contradiction;
    private final Map<Long, Hash> shown = new HashMap<>();
    private final Map<Long, Set<Hash>> answered = new HashMap<>();
    private boolean told;

    /**
     * A conduct under observation.
     *
     * @param self the server
     * @param inner the conduct
     * @param correct whether another appserver is correct
     * @param contradiction runs once, at the first contradiction
     */
    public ContradictionWatch(NodeId self, ServerConduct inner, Predicate<NodeId> correct, Runnable contradiction) {
        super(inner);
        this.self = self;
        this.correct = correct;
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
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        inner.toNode(core, to, frame, new Door(exit));
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        inner.toClient(core, connection, message, new Door(exit));
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        inner.heard(from, frame, new Door(exit));
    }

    @Override
    public void tick(Exit exit) {
        inner.tick(new Door(exit));
    }

    /** Looks at what leaves. */
    private final class Door implements Exit {
        private final Exit end;

        Door(Exit end) {
            this.end = end;
        }

        @Override
        public void node(NodeId to, Frame frame, long late) {
            if (!told
                    && to.role() == Role.APPSERVER
                    && frame instanceof Frame.Plain plain
                    && plain.message() instanceof Batch batch) {
                batch(to, batch);
            }
            end.node(to, frame, late);
        }

        @Override
        public void nodeBytes(NodeId to, byte[] bytes) {
            end.nodeBytes(to, bytes);
        }

        @Override
        public void client(ConnectionId connection, Message message) {
            if (!told && message instanceof Answer answer) {
                answer(answer.response().message());
            }
            end.client(connection, message);
        }

        @Override
        public void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {
            end.clientSigned(connection, signed);
        }

        @Override
        public void clientBytes(ConnectionId connection, byte[] bytes) {
            end.clientBytes(connection, bytes);
        }
    }
}
