package org.aspas.emulab.sim.node;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.engine.Trace;

/** Connections between clients and appservers: in order and whole while they last, as WebSockets over TCP are. */
public final class ClientLines {
    /** An appserver's door. */
    public interface Door {
        void opened(ConnectionId connection);

        void frame(ConnectionId connection, Wire wire);

        void closed(ConnectionId connection);
    }

    /** A client's end. */
    public interface Caller {
        /** The index of the client at whose place it is. */
        default int place() {
            return 0;
        }

        void connected(ConnectionId connection);

        void frame(ConnectionId connection, Wire wire);

        /** The connection is gone, or could not be made. */
        void closed(ConnectionId connection);
    }

    private record Way(int place, NodeId server) {}

    private static final class Line {
        final ConnectionId number;
        final String client;
        final NodeId server;
        final Caller caller;
        boolean open;
        boolean lossy;
        long lastToServer;
        long lastToClient;
        final Entrance toServer = new Entrance();
        final Entrance toClient = new Entrance();

        Line(ConnectionId number, String client, NodeId server, Caller caller) {
            this.number = number;
            this.client = client;
            this.server = server;
            this.caller = caller;
        }
    }

    private final Timeline timeline;
    private final SeededRandom chance;
    private final Delays delays;
    private final Trace trace;
    private final Map<NodeId, Door> doors = new TreeMap<>();
    private final Map<ConnectionId, Line> lines = new HashMap<>();
    private final Map<Way, Integer> blocked = new HashMap<>();
    private long next = 1;

    public ClientLines(Timeline timeline, SeededRandom chance, Delays delays, Trace trace) {
        this.timeline = timeline;
        this.chance = chance;
        this.delays = delays;
        this.trace = trace;
    }

    /** An appserver takes connections. */
    public void start(NodeId server, Door door) {
        doors.put(server, door);
    }

    /** An appserver stops at once; all its connections end. */
    public void stop(NodeId server) {
        doors.remove(server);
        lines.values().stream()
                .filter(line -> line.server.equals(server))
                .map(line -> line.number)
                .sorted()
                .toList()
                .forEach(this::end);
    }

    /** Begins to make a connection; the caller is told how it ends. */
    public ConnectionId connect(String client, NodeId server, Caller caller) {
        Line line = new Line(new ConnectionId(next++), client, server, caller);
        lines.put(line.number, line);
        timeline.after(2 * delays.toClient(line.caller.place(), line.server, chance), () -> {
            Door door = doors.get(server);
            if (door == null || blocked(line)) {
                end(line.number);
            } else if (lines.containsKey(line.number)) {
                line.open = true;
                trace.event(timeline.now(), "OPENED", client, server, new byte[0]);
                line.caller.connected(line.number);
                door.opened(line.number);
            }
        });
        return line.number;
    }

    /** Ends a connection: both sides are told, and what is under way is lost. */
    public void end(ConnectionId connection) {
        Line line = lines.remove(connection);
        if (line == null) {
            return;
        }
        Door door = doors.get(line.server);
        if (line.open && door != null) {
            door.closed(connection);
        }
        timeline.after(Timeline.MILLI, () -> line.caller.closed(connection));
    }

    /**
     * Lets nothing through between a client's place and an appserver, or takes back one such blocking. A connection that
     * lost something meanwhile ends when it is open again.
     */
    public void block(int place, NodeId server, boolean shut) {
        Way way = new Way(place, server);
        if (shut) {
            blocked.merge(way, 1, Integer::sum);
            return;
        }
        blocked.computeIfPresent(way, (any, count) -> count > 1 ? count - 1 : null);
        lines.values().stream()
                .filter(line -> line.lossy && !blocked(line))
                .map(line -> line.number)
                .sorted()
                .toList()
                .forEach(this::end);
    }

    private boolean blocked(Line line) {
        return !blocked.isEmpty() && blocked.containsKey(new Way(line.caller.place(), line.server));
    }

    private boolean lost(Line line) {
        line.lossy |= blocked(line);
        return line.lossy;
    }

    /** The server ends a connection after what it has sent. */
    public void hangUp(ConnectionId connection) {
        Line line = lines.get(connection);
        if (line != null) {
            timeline.at(Math.max(line.lastToClient, timeline.now()), () -> end(connection));
        }
    }

    public void toServer(ConnectionId connection, Wire wire) {
        Line line = lines.get(connection);
        if (line == null || !line.open) {
            return;
        }
        line.lastToServer = Math.max(line.lastToServer, arrival(line, line.toServer, wire));
        timeline.at(line.lastToServer, () -> {
            Door door = doors.get(line.server);
            if (lines.containsKey(connection) && door != null && !lost(line)) {
                trace.event(timeline.now(), wire.label(), line.client, line.server, wire.bytes(), wire::summary);
                door.frame(connection, wire);
            }
        });
    }

    private long arrival(Line line, Entrance entrance, Wire wire) {
        long nanos = delays.clientEntryNanos(line.caller.place(), line.server, wire.bytes().length);
        return entrance.entered(timeline.now(), nanos) + delays.toClient(line.caller.place(), line.server, chance);
    }

    public void toClient(ConnectionId connection, Wire wire) {
        Line line = lines.get(connection);
        if (line == null) {
            return;
        }
        line.lastToClient = Math.max(line.lastToClient, arrival(line, line.toClient, wire));
        timeline.at(line.lastToClient, () -> {
            if (lines.containsKey(connection) && !lost(line)) {
                trace.event(timeline.now(), wire.label(), line.server, line.client, wire.bytes(), wire::summary);
                line.caller.frame(connection, wire);
            }
        });
    }
}
