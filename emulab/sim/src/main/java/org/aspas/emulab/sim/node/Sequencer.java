package org.aspas.emulab.sim.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.machine.TotalOrder;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.engine.Trace;

/**
 * The ordering engine of the simulator, behind the same port as BFT-SMaRt's: every replica gets the same commands in the
 * same order, each in its own time; and their words to each other besides. It makes progress while 2b+1 replicas take part, loses nothing that it ordered, and
 * gives a replica that is far behind another's snapshot.
 */
public final class Sequencer {
    private static final int MOST_WAITING = 20_000;
    private static final int REPLAYED = 400;
    private static final long NANOS = 1_000;
    private static final NodeId LEADER = NodeId.bftserver(0);
    private static final NodeId ANOTHER = NodeId.bftserver(1);

    /** A replica, as the order sees it. */
    public interface Member extends OrderedMachine {
        /** Whether it runs and reaches the others. */
        boolean ready();

        /** Takes a word that another replica gave to be ordered, before it is ordered. */
        void heard(NodeId from, Wire word);

        /** Takes the next command, which may have been decoded already. */
        byte[] apply(Wire command);

        /**
         * Takes the next command, perhaps for some time.
         *
         * @param later called when it may have the one after, if it goes on with this one after the call
         * @return whether it goes on
         */
        default boolean goesOn(Wire command, Runnable later) {
            apply(command);
            return false;
        }

        @Override
        default byte[] apply(byte[] command) {
            return apply(new Wire(command));
        }
    }

    private final class Seat implements TotalOrder {
        final Member member;
        boolean present = true;
        boolean untaught;
        long position;
        long lastDelivery;
        boolean delivering;

        Seat(Member member) {
            this.member = member;
        }

        @Override
        public void submit(byte[] command) {
            if (present) {
                propose(seats.indexOf(this), new Wire(command));
            }
        }

        @Override
        public boolean isReady() {
            return present;
        }

        /** The first bftserver leads, as in {@code WorldDelays}; while it is away, nobody does. */
        @Override
        public boolean leads() {
            return present && seats.indexOf(this) == 0;
        }

        @Override
        public void close() {
            present = false;
        }
    }

    private final Timeline timeline;
    private final SeededRandom chance;
    private final SeededRandom early;
    private final Trace trace;
    private final int quorum;
    private final Delays delays;
    private final List<Seat> seats = new ArrayList<>();
    private final ArrayDeque<Wire> waiting = new ArrayDeque<>();
    private final List<Wire> recent = new ArrayList<>();
    private long dropped;
    private long ordered;
    private boolean begunAnew;
    private long beginning;
    private long busyUntil;
    private boolean drainIsDue;
    /** Where proposals leave the leader, towards each of the others at the same speed. */
    private final Entrance proposals = new Entrance();

    private long proposed;

    /**
     * An empty order.
     *
     * @param quorum how many replicas make progress, 2b+1
     */
    public Sequencer(Timeline timeline, SeededRandom chance, Trace trace, int quorum, Delays delays) {
        this.timeline = timeline;
        this.chance = chance;
        this.early = chance.stream("early words");
        this.trace = trace;
        this.quorum = quorum;
        this.delays = delays;
    }

    /** Adds the next replica, which takes part until it leaves; what it submits may be lost while it is cut off. */
    public TotalOrder join(Member member) {
        Seat seat = new Seat(member);
        seats.add(seat);
        return seat;
    }

    public long ordered() {
        return ordered;
    }

    private boolean live() {
        return seats.stream().filter(seat -> seat.present).count() >= quorum;
    }

    /** Carries a word from one replica to another, aside from the order, if both take part. */
    public void carry(int from, int to, Wire word) {
        if (!seats.get(from).present) {
            return;
        }
        NodeId sender = NodeId.bftserver(from);
        NodeId receiver = NodeId.bftserver(to);
        long entry = delays.entryNanos(sender, receiver, word.bytes().length);
        timeline.after(entry / NANOS + delays.between(sender, receiver, early), () -> {
            Seat seat = seats.get(to);
            if (seat.present && seat.member.ready()) {
                trace.event(timeline.now(), word.label(), sender, receiver, word.bytes(), word::summary);
                seat.member.heard(sender, word);
            }
        });
    }

    private void propose(int submitter, Wire command) {
        long entry = delays.entryNanos(NodeId.bftserver(submitter), LEADER, command.bytes().length);
        timeline.after(entry / NANOS + delays.toOrder(submitter, chance), () -> {
            if (waiting.size() < MOST_WAITING) {
                waiting.add(command);
            }
            drain();
        });
    }

    private void drain() {
        long wait = busyUntil - timeline.now();
        if (wait > 0) {
            drainWhenFree(wait);
            return;
        }
        if (live() && !waiting.isEmpty()) {
            long bytes = waiting.stream()
                    .mapToLong(command -> command.bytes().length)
                    .sum();
            proposed = proposals.entered(timeline.now(), delays.entryNanos(LEADER, ANOTHER, bytes));
            busyUntil = proposed + delays.ordering();
        }
        while (live() && !waiting.isEmpty()) {
            Wire command = waiting.remove();
            recent.add(command);
            ordered++;
            trace.event(
                    timeline.now(),
                    "ORDERED",
                    ordered,
                    "",
                    command.bytes(),
                    () -> command.label() + " " + command.summary());
        }
        trim();
        seats.forEach(this::deliver);
    }

    private void drainWhenFree(long wait) {
        if (!drainIsDue) {
            drainIsDue = true;
            timeline.after(wait, () -> {
                drainIsDue = false;
                drain();
            });
        }
    }

    /** Forgets what all present replicas have, and what a returning one would get as a snapshot. */
    private void trim() {
        long needed = ordered - REPLAYED;
        for (Seat seat : seats) {
            needed = seat.present ? Math.min(needed, seat.position) : needed;
        }
        int surplus = (int) (needed - dropped);
        if (surplus > REPLAYED) {
            recent.subList(0, surplus).clear();
            dropped += surplus;
        }
    }

    private void deliver(Seat seat) {
        if (!seat.present || seat.delivering || seat.position >= ordered) {
            return;
        }
        seat.delivering = true;
        long begins = Math.max(proposed, timeline.now());
        long moment = Math.max(seat.lastDelivery, begins + delays.toDelivery(seats.indexOf(seat), chance));
        seat.lastDelivery = moment;
        timeline.at(moment, () -> hand(seat, ordered));
    }

    /** Gives a replica its next commands up to one, each when it is done with the one before. */
    private void hand(Seat seat, long upTo) {
        while (seat.present && seat.position < upTo) {
            Wire next = recent.get((int) (seat.position - dropped));
            seat.position++;
            if (seat.member.goesOn(next, () -> hand(seat, upTo))) {
                return;
            }
        }
        seat.delivering = false;
        deliver(seat);
    }

    /** Forgets everything: all replicas have stopped, and those that come again begin a new order. */
    public void beginAnew() {
        recent.clear();
        waiting.clear();
        seats.forEach(seat -> seat.untaught = false);
        dropped = ordered;
        begunAnew = true;
        beginning = ordered;
        seats.forEach(seat -> seat.position = ordered);
    }

    /**
     * A replica takes part again.
     *
     * @param empty whether it lost its state
     */
    public void enter(int replica, boolean empty) {
        Seat seat = seats.get(replica);
        if (seat.present || !seat.member.ready()) {
            return;
        }
        boolean behind = empty || seat.position < dropped;
        List<Seat> teachers = seats.stream()
                .filter(other -> other.present && other.position >= dropped)
                .toList();
        if (behind && teachers.isEmpty() && begunAnew && dropped == beginning) {
            // The first after a cold start: it has missed nothing, or can be given it again.
            seat.position = beginning;
            behind = false;
        }
        seat.untaught = behind && teachers.isEmpty();
        if (seats.stream().allMatch(other -> other.untaught)) {
            // One after the other they have all lost their state: nobody will ever teach them.
            beginAnew();
            behind = false;
        }
        if (seat.untaught) {
            timeline.after(Timeline.SECOND, () -> enter(replica, empty));
            return;
        }
        seat.present = true;
        if (behind) {
            Seat teacher = chance.pick(teachers);
            seat.position = teacher.position;
            seat.member.restore(teacher.member.snapshot());
        }
        drain();
    }
}
