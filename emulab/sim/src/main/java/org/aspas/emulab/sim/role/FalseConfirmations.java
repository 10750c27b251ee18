package org.aspas.emulab.sim.role;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Response;
import org.aspas.crdt.clock.Dot;

/**
 * A server with two logs, as {@link TwoLives#clientsAgainstPeers}, that confirms the updates which the other servers never
 * saw: by a genuine certificate that covers the dot, where it stands for another entry, and a proof that proves nothing.
 */
final class FalseConfirmations extends ConductAround {
    private static final int MOST_OPEN = 1_000;

    private record Open(ConnectionId connection, long number, Dot dot) {}

    private final Power power;
    private final HeardShares shares = new HeardShares();
    private final List<Open> open = new ArrayList<>();

    FalseConfirmations(Power power) {
        super(TwoLives.clientsAgainstPeers(power));
        this.power = power;
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        shares.heard(frame);
        inner.heard(from, frame, exit);
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        inner.toClient(core, connection, message, exit);
        if (core == 0 && message instanceof Answer answer && open.size() < MOST_OPEN) {
            Response response = answer.response().message();
            Dot dot = response.dot();
            if (dot != null && response.reference() != 0) {
                open.add(new Open(connection, response.reference(), dot));
            }
        }
    }

    @Override
    public void tick(Exit exit) {
        inner.tick(exit);
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
                                certificate, List.of(new Confirmation.Covered(one.number(), one.dot(), nothing))));
                all.remove();
            }
        }
    }
}
