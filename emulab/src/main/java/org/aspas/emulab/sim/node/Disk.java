package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;

/**
 * An appserver's stable store: records become durable in groups, some time after they were written. A crash loses what is
 * not durable, except perhaps a first part of it.
 */
final class Disk {
    private final Timeline timeline;
    private final Chance chance;
    private final long slowest;
    private final List<byte[]> records = new ArrayList<>();
    private int durable;
    private long durableTicket;
    private long lastTicket;
    private boolean flushing;
    private long generation;

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
        return durable == records.size();
    }

    /** Appends a record; true when it is durable at once, else the consumer is told its ticket or a later one. */
    boolean append(long ticket, byte[] record, LongConsumer told) {
        records.add(record);
        lastTicket = ticket;
        if (slowest == 0) {
            durable = records.size();
            durableTicket = ticket;
            return true;
        }
        if (!flushing) {
            flush(told);
        }
        return false;
    }

    private void flush(LongConsumer told) {
        flushing = true;
        int upTo = records.size();
        long ticket = lastTicket;
        long mine = generation;
        timeline.after(chance.between(slowest / 10, slowest), () -> {
            if (mine != generation) {
                return;
            }
            durable = upTo;
            durableTicket = ticket;
            flushing = false;
            if (lastTicket > durableTicket) {
                flush(told);
            }
            told.accept(ticket);
        });
    }

    /** The process ends: its writes under way may be lost, from some place on. */
    void crash() {
        generation++;
        flushing = false;
        durable += (int) chance.between(0, records.size() - (long) durable);
        records.subList(durable, records.size()).clear();
        lastTicket = 0;
        durableTicket = 0;
    }
}
