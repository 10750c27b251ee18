package org.aspas.emulab.sim.node;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.network.Wire;

/**
 * A client's short connections to appservers that it has no session with, made when there is something to send and ended
 * when nothing came or went for long. What cannot be sent is dropped; the core asks again.
 */
final class SideLines {
    private static final int MOST_QUEUED = 64;
    private static final long IDLE = 10 * Timeline.SECOND;

    private final World world;
    private final String name;
    private final int place;
    private final BiConsumer<Integer, Frame> taker;
    private final Map<Integer, Side> sides = new TreeMap<>();

    /**
     * No connections yet.
     *
     * @param place the index of the client whose they are
     * @param taker takes a frame with the index of the appserver that it came from
     */
    SideLines(World world, String name, int place, BiConsumer<Integer, Frame> taker) {
        this.world = world;
        this.name = name;
        this.place = place;
        this.taker = taker;
    }

    void send(int server, Frame frame) {
        sides.computeIfAbsent(server, Side::new).send(Wire.of(frame));
    }

    void tick() {
        long now = world.timeline().now();
        List.copyOf(sides.values()).stream()
                .filter(side -> now - side.moved >= IDLE)
                .forEach(Side::end);
    }

    void end() {
        List.copyOf(sides.values()).forEach(Side::end);
    }

    private final class Side implements ClientLines.Caller {
        final int to;
        final ArrayDeque<Wire> queue = new ArrayDeque<>();
        final ConnectionId number;
        boolean stands;
        long moved;

        Side(int to) {
            this.to = to;
            this.number = world.lines().connect(name, NodeId.appserver(to), this);
        }

        void send(Wire wire) {
            moved = world.timeline().now();
            if (stands) {
                world.lines().toServer(number, wire);
            } else if (queue.size() < MOST_QUEUED) {
                queue.add(wire);
            }
        }

        void end() {
            sides.remove(to, this);
            world.lines().end(number);
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public void connected(ConnectionId connected) {
            stands = true;
            while (!queue.isEmpty()) {
                world.lines().toServer(number, queue.remove());
            }
        }

        @Override
        public void frame(ConnectionId received, Wire wire) {
            moved = world.timeline().now();
            if (sides.get(to) == this && wire.decoded() instanceof Decoded.Accepted<Frame> accepted) {
                taker.accept(to, accepted.value());
            }
        }

        @Override
        public void closed(ConnectionId gone) {
            sides.remove(to, this);
        }
    }
}
