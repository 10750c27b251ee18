package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.engine.Trace;

/**
 * Sessions between servers, as the production links make them: frames of one session come in order while it lasts; what
 * is under way when it breaks is lost, both ends are told, and it is dialled again. A direction that is blocked swallows
 * frames until the session is found dead after a while.
 */
public final class Network {
    private static final long DETECT_LEAST = Timeline.SECOND;
    private static final long DETECT_MOST = 4 * Timeline.SECOND;
    private static final long DIAL_LEAST = 50 * Timeline.MILLI;
    private static final long DIAL_MOST = 600 * Timeline.MILLI;
    private static final long OVERTAKEN_MOST = 400 * Timeline.MILLI;

    /** One server's end of its links. */
    public interface Endpoint {
        void connected(NodeId peer);

        default void gone(NodeId peer) {
            // When it is up again, that is told anew.
        }

        void frame(NodeId from, Wire wire);
    }

    /** Sees every frame before it leaves. */
    public interface Gate {
        /** Whether this frame is kept back. */
        boolean keeps(NodeId from, NodeId to, Wire wire);
    }

    private record Pair(NodeId low, NodeId high) {
        static Pair of(NodeId one, NodeId other) {
            return one.compareTo(other) < 0 ? new Pair(one, other) : new Pair(other, one);
        }
    }

    private record Way(NodeId from, NodeId to) {}

    private static final class Session {
        boolean up;
        boolean dialling;
        long generation;
        long lastUp;
        long lastDown;
        Entrance entranceUp = new Entrance();
        Entrance entranceDown = new Entrance();
    }

    private final Timeline timeline;
    private final SeededRandom chance;
    private final Delays delays;
    private final Trace trace;
    private final Map<NodeId, Endpoint> running = new TreeMap<>();
    private final Map<Pair, Session> sessions = new HashMap<>();
    private final Map<Way, Integer> blocked = new HashMap<>();
    private final Map<NodeId, List<Runnable>> still = new HashMap<>();
    private final List<Runnable> kept = new ArrayList<>();
    private Gate gate = (from, to, wire) -> false;
    private Conditions conditions = Conditions.CALM;
    private long lost;
    private long frames;

    public Network(Timeline timeline, SeededRandom chance, Delays delays, Trace trace) {
        this.timeline = timeline;
        this.chance = chance;
        this.delays = delays;
        this.trace = trace;
    }

    public void conditions(Conditions changed) {
        conditions = changed;
    }

    /** Lets a schedule see all frames, and keep back some. */
    public void gate(Gate other) {
        gate = other;
    }

    /** Sends what was kept back, and keeps nothing back any more. */
    public void release() {
        List<Runnable> waiting = List.copyOf(kept);
        lose();
        waiting.forEach(Runnable::run);
    }

    /** Lets a schedule see all frames from now on, those that were kept back before the others. */
    public void regate(Gate other) {
        List<Runnable> waiting = List.copyOf(kept);
        kept.clear();
        gate = other;
        waiting.forEach(Runnable::run);
    }

    /** Drops what was kept back, and keeps nothing back any more. */
    public void lose() {
        gate = (from, to, wire) -> false;
        kept.clear();
    }

    /** How many frames were lost, doubled or overtaken, or were under way when their session broke. */
    public long disturbed() {
        return lost;
    }

    /** How many frames were sent between servers. */
    public long frames() {
        return frames;
    }

    /** A server begins to run: sessions to all others that run are dialled. */
    public void start(NodeId node, Endpoint endpoint) {
        running.put(node, endpoint);
        for (NodeId other : running.keySet()) {
            if (linked(node, other)) {
                dial(node, other);
            }
        }
    }

    /** A server stops at once; its peers find out. */
    public void stop(NodeId node) {
        running.remove(node);
        still.remove(node);
        for (Map.Entry<Pair, Session> entry : sessions.entrySet()) {
            Pair pair = entry.getKey();
            if (pair.low().equals(node) || pair.high().equals(node)) {
                disconnect(pair, entry.getValue());
            }
        }
    }

    /** The bftservers reach each other through the ordering library. */
    private static boolean linked(NodeId one, NodeId other) {
        return !one.equals(other) && (one.role() == Role.APPSERVER || other.role() == Role.APPSERVER);
    }

    /** Whether the network carries frames this way now. */
    public boolean open(NodeId from, NodeId to) {
        return !blocked.containsKey(new Way(from, to));
    }

    /** Blocks one direction, or takes back one blocking; it is open when all are taken back. */
    public void block(NodeId from, NodeId to, boolean shut) {
        Way way = new Way(from, to);
        if (!shut) {
            blocked.computeIfPresent(way, (key, count) -> count > 1 ? count - 1 : null);
            redial(from, to);
        } else if (blocked.merge(way, 1, Integer::sum) == 1) {
            Session session = session(from, to);
            long generation = session.generation;
            timeline.after(chance.between(DETECT_LEAST, DETECT_MOST), () -> {
                if (session.generation == generation && !open(from, to)) {
                    breakSession(from, to);
                }
            });
        }
    }

    /** Lets a server stand still, as all others see it: frames to it and from it wait. Or lets them go on, in their order. */
    public void freeze(NodeId node, boolean begins) {
        if (begins) {
            still.put(node, new ArrayList<>());
        } else {
            List<Runnable> held = still.remove(node);
            if (held != null) {
                held.forEach(Runnable::run);
            }
        }
    }

    /** Breaks a session; it is dialled again. */
    public void breakSession(NodeId one, NodeId other) {
        disconnect(Pair.of(one, other), session(one, other));
    }

    private Session session(NodeId one, NodeId other) {
        return sessions.computeIfAbsent(Pair.of(one, other), any -> new Session());
    }

    private void disconnect(Pair pair, Session session) {
        if (!session.up) {
            return;
        }
        session.up = false;
        session.generation++;
        tellGone(pair.low(), pair.high());
        tellGone(pair.high(), pair.low());
        redial(pair.low(), pair.high());
    }

    private void tellGone(NodeId whom, NodeId peer) {
        Endpoint endpoint = running.get(whom);
        if (endpoint != null) {
            endpoint.gone(peer);
        }
    }

    private void redial(NodeId one, NodeId other) {
        if (running.containsKey(one) && running.containsKey(other) && linked(one, other)) {
            dial(one, other);
        }
    }

    private void dial(NodeId one, NodeId other) {
        Session session = session(one, other);
        if (session.up || session.dialling) {
            return;
        }
        session.dialling = true;
        long wait = timeline.now() == 0 ? 0 : chance.between(DIAL_LEAST, DIAL_MOST);
        timeline.after(wait + 2 * delays.between(one, other, chance), () -> {
            session.dialling = false;
            boolean possible = running.containsKey(one) && running.containsKey(other);
            if (possible && open(one, other) && open(other, one)) {
                session.up = true;
                session.generation++;
                session.lastUp = timeline.now();
                session.lastDown = timeline.now();
                session.entranceUp = new Entrance();
                session.entranceDown = new Entrance();
                tellConnected(one, other);
                tellConnected(other, one);
            } else if (possible) {
                timeline.after(DIAL_MOST, () -> redial(one, other));
            }
        });
    }

    private void tellConnected(NodeId whom, NodeId peer) {
        Endpoint endpoint = running.get(whom);
        if (endpoint != null) {
            trace.event(timeline.now(), "CONNECTED", peer, whom, new byte[0]);
            endpoint.connected(peer);
        }
    }

    /**
     * Sends a frame, which the conditions or a fault may lose, double or delay.
     *
     * @param late how much later than usual it leaves, in microseconds
     */
    public void send(NodeId from, NodeId to, Wire wire, long late) {
        if (gate.keeps(from, to, wire)) {
            kept.add(() -> send(from, to, wire, late));
            return;
        }
        Session session = session(from, to);
        frames++;
        if (!session.up || !open(from, to) || chance.happens(conditions.loss())) {
            lost++;
            return;
        }
        long delay = entered(session, from, to, wire, late) + delays.between(from, to, chance);
        deliver(session, from, to, wire, delay, chance.happens(conditions.reordering()));
        if (chance.happens(conditions.duplication())) {
            lost++;
            deliver(session, from, to, wire, delay + chance.between(1, OVERTAKEN_MOST), true);
        }
    }

    /** How long from now until the whole frame is in the link. */
    private long entered(Session session, NodeId from, NodeId to, Wire wire, long late) {
        Entrance entrance = from.compareTo(to) < 0 ? session.entranceUp : session.entranceDown;
        long nanos = delays.entryNanos(from, to, wire.bytes().length);
        return nanos == 0 ? late : entrance.entered(timeline.now() + late, nanos) - timeline.now();
    }

    private void deliver(Session session, NodeId from, NodeId to, Wire wire, long delay, boolean outOfOrder) {
        long generation = session.generation;
        long moment = timeline.now() + delay;
        if (outOfOrder) {
            lost++;
            moment += chance.between(1, OVERTAKEN_MOST);
        } else if (from.compareTo(to) < 0) {
            moment = Math.max(moment, session.lastUp);
            session.lastUp = moment;
        } else {
            moment = Math.max(moment, session.lastDown);
            session.lastDown = moment;
        }
        timeline.at(moment, () -> arrive(session, generation, from, to, wire));
    }

    private void arrive(Session session, long generation, NodeId from, NodeId to, Wire wire) {
        List<Runnable> held = still.getOrDefault(to, still.get(from));
        if (held != null) {
            held.add(() -> arrive(session, generation, from, to, wire));
            return;
        }
        Endpoint endpoint = running.get(to);
        if (session.generation == generation && endpoint != null && open(from, to)) {
            trace.event(timeline.now(), wire.label(), from, to, wire.bytes(), wire::summary);
            endpoint.frame(from, wire);
        } else {
            lost++;
        }
    }
}
