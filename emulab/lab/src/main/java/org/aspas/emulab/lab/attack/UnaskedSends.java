package org.aspas.emulab.lab.attack;

import org.aspas.appserver.core.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.lab.attack.ByzantineMachine.Misdeeds;
import org.aspas.emulab.sim.node.ServerConduct;

/** An exit that tells what leaves unasked. */
class UnaskedSends implements ServerConduct.Exit {
    final ServerConduct.Exit next;
    final Misdeeds misdeeds;

    UnaskedSends(ServerConduct.Exit next, Misdeeds misdeeds) {
        this.next = next;
        this.misdeeds = misdeeds;
    }

    @Override
    public void node(NodeId to, Frame frame, long micro) {
        misdeeds.done("sends " + to + " a " + ByzantineMachine.name(frame) + " besides");
        next.node(to, frame, micro);
    }

    @Override
    public void nodeBytes(NodeId to, byte[] bytes) {
        misdeeds.done("sends " + to + " bytes that are no frame of its core");
        next.nodeBytes(to, bytes);
    }

    @Override
    public void client(ConnectionId connection, Message message) {
        misdeeds.done("sends a client a " + message.kind() + " besides");
        next.client(connection, message);
    }

    @Override
    public void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {
        misdeeds.done("sends a client a " + signed.message().kind() + " besides");
        next.clientSigned(connection, signed);
    }

    @Override
    public void clientBytes(ConnectionId connection, byte[] bytes) {
        misdeeds.done("sends a client bytes that are no frame of its core");
        next.clientBytes(connection, bytes);
    }
}
