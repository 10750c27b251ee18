package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.clock.Dot;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/**
 * A server with two logs that confirms the updates which the other servers never saw: by a genuine certificate that covers
 * the dot, where it stands for another entry, and a proof that proves nothing. The link of a {@link Chain} that comes after
 * {@link TwoHistories#clientsAgainstPeers}.
 */
final class FalseConfirmations implements ByzantineBehavior {
    private static final int MOST_OPEN = 1_000;

    private record Open(ConnectionId connection, ClientId client, long number, Dot dot) {}

    private final AdversaryContext power;
    private final HeardShares shares = new HeardShares();
    private final List<Open> open = new ArrayList<>();

    FalseConfirmations(AdversaryContext power) {
        this.power = power;
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        shares.heard(frame);
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        exit.client(connection, message);
        if (message instanceof Answer answer && open.size() < MOST_OPEN) {
            Response response = answer.response().message();
            Dot dot = response.dot();
            if (dot != null && response.reference() != 0) {
                open.add(new Open(connection, response.client(), response.reference(), dot));
            }
        }
    }

    @Override
    public void tick(Exit exit) {
        Optional<Certificate> newest = shares.newest(power.quorums().bftserverQuorum());
        newest.ifPresent(certificate -> confirm(certificate, exit));
    }

    private void confirm(Certificate certificate, Exit exit) {
        long size = certificate.content().version().get(power.self().index());
        for (Iterator<Open> all = open.iterator(); all.hasNext(); ) {
            Open one = all.next();
            if (one.dot().sequence() <= size) {
                InclusionProof nothing = new InclusionProof(one.dot().sequence() - 1, size, List.of());
                exit.client(
                        one.connection(),
                        new Confirmation(
                                one.client(),
                                certificate,
                                List.of(new Confirmation.Covered(one.number(), one.dot(), nothing))));
                all.remove();
            }
        }
    }
}
