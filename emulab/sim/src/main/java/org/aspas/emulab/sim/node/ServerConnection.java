package org.aspas.emulab.sim.node;

import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.client.core.Event;
import org.aspas.emulab.sim.engine.Timeline;

/** A client's connection to its present server: when it ends it is made again, after pauses that grow. */
final class ServerConnection implements ClientLines.Caller {
    private static final Backoff PAUSES = Backoff.of(100 * Timeline.MILLI, 5 * Timeline.SECOND);

    /** Takes what happens to the connection. */
    @FunctionalInterface
    interface Taker {
        /**
         * Something happened.
         *
         * @param bytes the length of the frame that came, or 0
         */
        void take(Event event, int bytes);
    }

    private final World world;
    private final String name;
    private final int place;
    private final Taker core;
    private NodeId server;
    private ConnectionId present = ConnectionId.NONE;
    private Backoff pauses = PAUSES;
    private boolean up;
    private boolean last;
    private long incarnation;

    /**
     * No connection yet.
     *
     * @param place the index of the client whose it is
     * @param server the first server
     */
    ServerConnection(World world, String name, int place, NodeId server, Taker core) {
        this.world = world;
        this.name = name;
        this.place = place;
        this.server = server;
        this.core = core;
    }

    @Override
    public int place() {
        return place;
    }

    NodeId server() {
        return server;
    }

    /** The present connection, if there is one. */
    ConnectionId id() {
        return present;
    }

    void start(NodeId first) {
        up = true;
        server = first;
        pauses = PAUSES;
        connect(++incarnation);
    }

    void crash() {
        up = false;
        incarnation++;
        world.lines().end(present);
        present = ConnectionId.NONE;
    }

    /** Ends the connection; it is made again. */
    void end() {
        world.lines().end(present);
    }

    /** Ends the connection for good. */
    void endForGood() {
        last = true;
        end();
    }

    /** The server took the client: the next pause is a short one. */
    void taken() {
        pauses = PAUSES;
    }

    void send(Wire wire) {
        world.lines().toServer(present, wire);
    }

    void turnTo(NodeId next) {
        ConnectionId left = present;
        present = ConnectionId.NONE;
        server = next;
        world.lines().end(left);
        // Not within the core's step: what it does next belongs to the new connection.
        connectAfter(0);
    }

    private void connectAfter(long pause) {
        long mine = incarnation;
        world.timeline().after(pause, () -> {
            if (present.equals(ConnectionId.NONE)) {
                connect(mine);
            }
        });
    }

    private void connect(long mine) {
        if (mine == incarnation && !last) {
            present = world.lines().connect(name, server, this);
        }
    }

    @Override
    public void connected(ConnectionId connection) {
        if (connection.equals(present)) {
            core.take(new Event.Connected(), 0);
        }
    }

    @Override
    public void frame(ConnectionId connection, Wire wire) {
        if (connection.equals(present)) {
            core.take(
                    wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                            ? new Event.FrameReceived(accepted.value())
                            : new Event.FrameRejected("no frame"),
                    wire.bytes().length);
        }
    }

    @Override
    public void closed(ConnectionId connection) {
        if (connection.equals(present) && up) {
            present = ConnectionId.NONE;
            core.take(new Event.Disconnected("the connection is gone"), 0);
            long pause = pauses.pause();
            pauses = pauses.next();
            connectAfter(pause);
        }
    }
}
