package org.aspas.emulab.sim.adversary;

import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/**
 * Reports to the bftservers, whatever its core holds, the largest log of each appserver that it heard of, but of the next
 * appserver the first: where that one is behind with its own reports, the versions that enough report are not causally closed.
 */
final class RepeatedReports implements ByzantineBehavior {
    private static final long PAUSE = 200 * Timeline.MILLI;

    private final AdversaryContext power;
    private final TreeMap<Integer, Signed<Head>> largest = new TreeMap<>();
    private long reportedAt;

    RepeatedReports(AdversaryContext power) {
        this.power = power;
    }

    private void note(Signed<Head> head) {
        int origin = head.message().origin();
        int servers = power.quorums().appservers();
        if (origin >= 0 && origin < servers) {
            boolean hidden = origin == (power.self().index() + 1) % servers;
            largest.merge(
                    origin,
                    head,
                    (known, other) ->
                            hidden || known.message().size() >= other.message().size() ? known : other);
        }
    }

    private void note(Frame frame) {
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Batch batch) {
            note(batch.head());
        } else if (frame instanceof Frame.Plain plain && plain.message() instanceof Frontier frontier) {
            frontier.heads().forEach(this::note);
        }
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        note(frame);
        boolean report = frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof VertObft;
        if (!report || !power.begun().getAsBoolean()) {
            exit.node(to, frame, 0);
        }
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        note(frame);
    }

    @Override
    public void tick(Exit exit) {
        long now = power.now().getAsLong();
        if (now - reportedAt < PAUSE || largest.isEmpty()) {
            return;
        }
        reportedAt = now;
        VersionVector version = VersionVector.zero(power.quorums().appservers());
        for (Signed<Head> head : largest.values()) {
            version = version.with(head.message().origin(), head.message().size());
        }
        Frame report = new Frame.Sealed(
                power.sealer().seal(new VertObft(power.self().index(), version, List.copyOf(largest.values()))));
        for (int replica = 0; replica < power.quorums().bftservers(); replica++) {
            exit.node(NodeId.bftserver(replica), report, 0);
        }
    }
}
