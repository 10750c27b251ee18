package org.aspas.emulab.sim.role;

import java.util.function.Consumer;
import org.aspas.appserver.core.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.sim.node.ServerConduct;
import org.jspecify.annotations.Nullable;

/** Tells when a conduct first does something else than a correct server would. */
public final class WatchedServer extends ConductAround {
    private final Runnable misdeed;
    private boolean told;

    /**
     * A conduct under observation.
     *
     * @param inner the conduct
     * @param misdeed runs once, at the first misdeed
     */
    public WatchedServer(ServerConduct inner, Runnable misdeed) {
        super(inner);
        this.misdeed = misdeed;
    }

    private void tell() {
        if (!told) {
            told = true;
            misdeed.run();
        }
    }

    @Override
    public boolean takes(int core, ConnectionId connection, Frame frame) {
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

    /** Lets the conduct do with what is due what it does, and compares. */
    private void watched(Object due, Exit exit, Consumer<Exit> conduct) {
        if (unwatched()) {
            conduct.accept(exit);
            return;
        }
        Watch watch = new Watch(exit, due);
        conduct.accept(watch);
        watch.judge();
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        watched(frame, exit, through -> inner.toNode(core, to, frame, through));
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        watched(message, exit, through -> inner.toClient(core, connection, message, through));
    }

    @Override
    public void toClientSigned(int core, ConnectionId connection, Signed<? extends Message> signed, Exit exit) {
        watched(signed, exit, through -> inner.toClientSigned(core, connection, signed, through));
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
        private final @Nullable Object due;
        private int right;

        Watch(Exit end, @Nullable Object due) {
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
        public void client(ConnectionId connection, Message message) {
            left(message, true);
            end.client(connection, message);
        }

        @Override
        public void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {
            left(signed, true);
            end.clientSigned(connection, signed);
        }

        @Override
        public void clientBytes(ConnectionId connection, byte[] bytes) {
            tell();
            end.clientBytes(connection, bytes);
        }
    }
}
