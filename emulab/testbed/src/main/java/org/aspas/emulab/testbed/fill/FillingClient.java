package org.aspas.emulab.testbed.fill;

import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.testbed.deployment.Deployment;

/** A client with a key of its own, which never waits. For one thread at a time. */
final class FillingClient {
    private final Sealer sealer;
    private final ClientId id;
    private final ConnectionId connection;
    private long number;

    FillingClient(Hash deployment, int index) {
        this.sealer = new Sealer(Deployment.newKey(), deployment);
        this.id = new ClientId(sealer.publicKey());
        this.connection = new ConnectionId(index + 1L);
    }

    void open(FillingServer server) {
        server.open(connection);
        server.happens(frame(new Frame.Sealed(sealer.seal(new OpenSession(id, 1, OpenSession.UNBOUNDED)))));
    }

    /** What happens to its server when it makes its next update. */
    Event update(FillPlan.Update update) {
        return frame(new Frame.Sealed(signed(update)));
    }

    Signed<ClientSigned> signed(FillPlan.Update update) {
        return sealer.<ClientSigned>seal(new Request(id, ++number, update.key(), update.type(), update.operation()));
    }

    void leave(FillingServer server) {
        server.happens(new Event.ClientGone(connection));
    }

    private Event frame(Frame frame) {
        return new Event.ClientFrame(connection, frame);
    }
}
