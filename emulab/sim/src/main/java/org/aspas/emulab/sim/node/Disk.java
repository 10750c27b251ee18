package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.aspas.appserver.core.port.StoreState;
import org.aspas.certify.durable.Ticket;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * An appserver's stable store: records become durable in groups, some time after they were written. A crash loses what is
 * not durable, except perhaps a first part of it. The production server has no such store yet: that a half-written record is
 * cut off is what this one promises, and what a real one has to.
 */
final class Disk {
    private static final int NOT_FROZEN = -1;
    private static final long TRIED_AGAIN = 100 * Timeline.MILLI;

    private final Timeline timeline;
    private final Chance chance;
    private final long slowest;
    private final List<byte[]> records = new ArrayList<>();
    private int durable;
    private Ticket durableTicket = Ticket.NONE;
    private Ticket lastTicket = Ticket.NONE;
    private boolean flushing;
    private long generation;
    private boolean full;
    private @Nullable Consumer<Ticket> told;
    private @Nullable Trap trap;
    private int frozenFrom = NOT_FROZEN;
    private @Nullable List<byte[]> copy;
    private boolean lost;

    /**
     * Where the process ends.
     *
     * @param step which record it writes then
     * @param stays whether that record and all before it are durable already, though the process does not know yet
     * @param crash ends the process
     */
    record Trap(Predicate<byte[]> step, boolean stays, Runnable crash) {}

    /** A disk whose flush takes up to this many microseconds; 0 for one that is durable at once. */
    Disk(Timeline timeline, Chance chance, long slowest) {
        this.timeline = timeline;
        this.chance = chance;
        this.slowest = slowest;
    }

    /** All that survived the last crash. */
    List<byte[]> records() {
        return List.copyOf(records.subList(0, durable));
    }

    /** What would survive a crash now, without a copy: not to be kept, for it changes with the next write. */
    List<byte[]> durable() {
        return Collections.unmodifiableList(records.subList(0, durable));
    }

    /** Whether nothing waits to become durable. */
    boolean idle() {
        return durable == records.size() && frozenFrom == NOT_FROZEN;
    }

    /** Appends a record; true when it is durable at once, else the consumer is told its ticket or a later one. */
    boolean append(Ticket ticket, byte[] record, Consumer<Ticket> whom) {
        records.add(record);
        lastTicket = ticket;
        told = whom;
        Trap set = trap;
        if (set != null && set.step().test(record)) {
            trap = null;
            frozenFrom = set.stays() ? records.size() : records.size() - 1;
            durable = set.stays() ? records.size() : durable;
            timeline.after(0, set.crash());
        }
        if (frozenFrom != NOT_FROZEN) {
            return false;
        }
        if (slowest == 0 && !full) {
            durable = records.size();
            durableTicket = ticket;
            return true;
        }
        if (!flushing) {
            flush();
        }
        return false;
    }

    private void flush() {
        flushing = true;
        int upTo = records.size();
        Ticket ticket = lastTicket;
        long mine = generation;
        timeline.after(full ? TRIED_AGAIN : chance.between(slowest / 10, slowest), () -> {
            if (mine != generation || frozenFrom != NOT_FROZEN) {
                return;
            }
            if (full) {
                flush();
                return;
            }
            durable = upTo;
            durableTicket = ticket;
            flushing = false;
            if (!lastTicket.equals(durableTicket)) {
                flush();
            }
            Consumer<Ticket> taker = told;
            if (taker != null) {
                taker.accept(ticket);
            }
        });
    }

    /** The process ends: its writes under way may be lost, from some place on. */
    void crash() {
        generation++;
        flushing = false;
        long most = full ? durable : frozenFrom == NOT_FROZEN ? records.size() : Math.max(durable, frozenFrom);
        durable += (int) chance.between(0, most - durable);
        records.subList(durable, records.size()).clear();
        frozenFrom = NOT_FROZEN;
        lastTicket = Ticket.NONE;
        durableTicket = Ticket.NONE;
    }

    // ---- What happens to it ----

    /** Lets the process end at a step, once; or, with null, no more. */
    void trap(@Nullable Trap next) {
        trap = next;
    }

    /** From now on it takes nothing, and what is written waits; or it takes everything again. */
    void full(boolean begins) {
        full = begins;
    }

    /** Forgets everything; no process may use it now. */
    void lose() {
        records.clear();
        durable = 0;
        lost = true;
    }

    /**
     * What a process that starts on it is told. A store is made together with its key, once: one that is gone is missed. One that
     * is older than it was is found to be good.
     */
    StoreState state() {
        return lost ? new StoreState.Amnesiac("its store is gone") : StoreState.GOOD;
    }

    /** Keeps a copy of what is durable now. */
    void keepCopy() {
        copy = records();
    }

    /** Holds again what was durable when the copy was made; no process may use it now. */
    void becomeCopy() {
        List<byte[]> earlier = copy;
        lose();
        lost = false;
        if (earlier != null) {
            records.addAll(earlier);
            durable = records.size();
        }
    }
}
