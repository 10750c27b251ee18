package org.aspas.emulab.sim.role;

import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.sim.node.ServerConduct;

/** Tells when a conduct first does something else than a correct server would. */
public final class WatchedServer implements ServerConduct {
    private final ServerConduct inner;
    private final Runnable misdeed;
    private boolean told;

    /**
     * A conduct under observation.
     *
     * @param inner the conduct
     * @param misdeed runs once, at the first misdeed
     */
    public WatchedServer(ServerConduct inner, Runnable misdeed) {
        this.inner = inner;
        this.misdeed = misdeed;
    }

    private void tell() {
        if (!told) {
            told = true;
            misdeed.run();
        }
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
    public boolean takes(int core, long connection, Frame frame) {
        boolean takes = inner.takes(core, connection, frame);
        if (!takes && frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Request) {
            tell();
        }
        return takes;
    }

    /** Whether it is over, or not to be seen from one core alone. */
    private boolean unwatched() {
        return told || inner.cores() > 1;
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        if (unwatched()) {
            inner.toNode(core, to, frame, exit);
            return;
        }
        Watch watch = new Watch(exit, frame);
        inner.toNode(core, to, frame, watch);
        watch.judge();
    }

    @Override
    public void toClient(int core, long connection, Message message, Exit exit) {
        if (unwatched()) {
            inner.toClient(core, connection, message, exit);
            return;
        }
        Watch watch = new Watch(exit, message);
        inner.toClient(core, connection, message, watch);
        watch.judge();
    }

    @Override
    public void toClientSigned(int core, long connection, Signed<? extends Message> signed, Exit exit) {
        if (unwatched()) {
            inner.toClientSigned(core, connection, signed, exit);
            return;
        }
        Watch watch = new Watch(exit, signed);
        inner.toClientSigned(core, connection, signed, watch);
        watch.judge();
    }

    @Override
    public Frame incoming(NodeId from, Frame frame) {
        return inner.incoming(from, frame);
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        inner.heard(from, frame, told ? exit : new Watch(exit, null));
    }

    @Override
    public void tick(Exit exit) {
        inner.tick(told ? exit : new Watch(exit, null));
    }

    /** Compares what leaves with the one thing that should. */
    private final class Watch implements Exit {
        private final Exit end;
        private final @org.jspecify.annotations.Nullable Object due;
        private int right;

        Watch(Exit end, @org.jspecify.annotations.Nullable Object due) {
            this.end = end;
            this.due = due;
        }

        private void left(Object what, boolean inTime) {
            if (what == due && inTime && right == 0) {
                right++;
            } else {
                tell();
            }
        }

        void judge() {
            if (right == 0) {
                tell();
            }
        }

        @Override
        public void node(NodeId to, Frame frame, long late) {
            left(frame, late == 0);
            end.node(to, frame, late);
        }

        @Override
        public void nodeBytes(NodeId to, byte[] bytes) {
            tell();
            end.nodeBytes(to, bytes);
        }

        @Override
        public void client(long connection, Message message) {
            left(message, true);
            end.client(connection, message);
        }

        @Override
        public void clientSigned(long connection, Signed<? extends Message> signed) {
            left(signed, true);
            end.clientSigned(connection, signed);
        }

        @Override
        public void clientBytes(long connection, byte[] bytes) {
            tell();
            end.clientBytes(connection, bytes);
        }
    }
}
