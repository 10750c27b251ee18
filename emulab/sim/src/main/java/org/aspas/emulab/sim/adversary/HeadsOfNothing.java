package org.aspas.emulab.sim.adversary;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/**
 * A server that tells the other appservers now the newest head of its log and now another one of the same size, with a root
 * that nothing opens. Its entries are one log's, whoever asks for them: only the two heads prove it.
 */
final class HeadsOfNothing implements ByzantineBehavior {
    private final AdversaryContext power;

    HeadsOfNothing(AdversaryContext power) {
        this.power = power;
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        boolean lies = frame instanceof Frame.Plain plain
                && plain.message() instanceof Frontier frontier
                && frontier.heads().stream().anyMatch(this::own)
                && power.chance().happens(0.3);
        exit.node(to, lies ? lie((Frontier) ((Frame.Plain) frame).message()) : frame, 0);
    }

    private boolean own(Signed<Head> head) {
        return head.message().origin() == power.self().index();
    }

    private Frame lie(Frontier frontier) {
        List<Signed<Head>> heads = frontier.heads().stream()
                .map(head -> own(head) ? other(head.message()) : head)
                .toList();
        return new Frame.Plain(new Frontier(frontier.version(), heads, frontier.certificate()));
    }

    private Signed<Head> other(Head head) {
        Hash root = Hash.of(power.chance().bytes(Hash.LENGTH));
        return power.sealer().seal(new Head(head.origin(), head.size(), root));
    }
}
