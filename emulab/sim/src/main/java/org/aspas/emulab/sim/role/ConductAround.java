package org.aspas.emulab.sim.role;

import org.aspas.appserver.core.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.sim.node.ServerConduct;

/** Behaves as another conduct does; what observes one overrides what it looks at. */
abstract class ConductAround implements ServerConduct {
    /** The other conduct. */
    protected final ServerConduct inner;

    ConductAround(ServerConduct inner) {
        this.inner = inner;
    }

    @Override
    public int cores() {
        return inner.cores();
    }

    @Override
    public boolean knows(int core, NodeId peer) {
        return inner.knows(core, peer);
    }

    @Override
    public boolean takes(int core, ConnectionId connection, Frame frame) {
        return inner.takes(core, connection, frame);
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        inner.toNode(core, to, frame, exit);
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        inner.toClient(core, connection, message, exit);
    }

    @Override
    public void toClientSigned(int core, ConnectionId connection, Signed<? extends Message> signed, Exit exit) {
        inner.toClientSigned(core, connection, signed, exit);
    }

    @Override
    public Frame incoming(NodeId from, Frame frame) {
        return inner.incoming(from, frame);
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        inner.heard(from, frame, exit);
    }

    @Override
    public void tick(Exit exit) {
        inner.tick(exit);
    }
}
