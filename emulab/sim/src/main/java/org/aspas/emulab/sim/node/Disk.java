package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.aspas.appserver.core.certification.StoredSum;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.step.Ticket;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * An appserver's stable store: a journal and a base. Records become durable in groups, some time after they were written. A crash loses
 * what is not durable, except perhaps a first part of it: that a half-written record is cut off is what the production journal
 * promises. When a sum is durable the base is forced, and a process that starts later finds the records from the sum on, and no
 * others; {@link #durable} still shows them all, since what they say is in the base.
 */
final class Disk {
    /** No record of the core: here a process took what the base held, the bytes after this one. */
    static final byte LOADED = 127;

    private static final int NOT_FROZEN = -1;
    private static final long TRIED_AGAIN = 100 * Timeline.MILLI;

    private final Timeline timeline;
    private final SeededRandom chance;
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
    private final BaseDisk base;
    private final long[] appended = new long[Byte.MAX_VALUE + 1];
    /** Where a process begins to read. */
    private int start;
    /** Where the newest sum begins, and behind its end; that is 0 while it is not whole. */
    private int sum;

    private int sumEnd;
    private @Nullable Copy copy;
    private boolean lost;
    private final boolean os;
    private boolean cut;
    private boolean rebooted;

    /** What somebody kept of a disk. */
    private record Copy(List<byte[]> records, int start, BaseDisk.Copy base) {}

    /**
     * Where the process ends.
     *
     * @param step which record it writes then
     * @param stays whether that record and all before it are durable already, though the process does not know yet
     */
    record Trap(Predicate<byte[]> step, boolean stays, Runnable crash) {}

    /**
     * A disk.
     *
     * @param slowest how many microseconds a flush takes at most; 0 for one that is durable at once
     * @param os whether the end of a process loses nothing that was written, and only the end of the machine does
     */
    Disk(Timeline timeline, SeededRandom chance, long slowest, boolean os) {
        this.os = os;
        this.timeline = timeline;
        this.chance = chance;
        this.slowest = slowest;
        this.base = new BaseDisk(chance.stream("base"));
    }

    /** All that a process finds after the last crash. */
    StoredHistory history() {
        List<byte[]> found = records.subList(start, durable).stream()
                .filter(record -> record[0] != LOADED)
                .toList();
        Optional<SavedBase> saved = base.saved();
        return new StoredHistory() {
            @Override
            public Iterator<byte[]> iterator() {
                return found.iterator();
            }

            @Override
            public Optional<SavedBase> base() {
                return saved;
            }

            @Override
            public BaseReader reader() {
                return base.reader();
            }
        };
    }

    /** A process took what the base holds. Whoever reads the records finds that among them. */
    void loaded() {
        base.head().ifPresent(head -> {
            byte[] record = new byte[1 + head.length];
            record[0] = LOADED;
            System.arraycopy(head, 0, record, 1, head.length);
            records.add(record);
            durable = records.size();
        });
    }

    /** The base was the only one to know what a process took from it, unless that wrote a sum since. */
    private void forgetLoaded() {
        for (int i = durable - 1; i >= start && records.get(i)[0] != Records.SUM_END; i--) {
            if (records.get(i)[0] == LOADED) {
                records.remove(i);
                durable--;
            }
        }
    }

    /** Keeps an image of what is certified; nothing waits for it. */
    void keep(Effect.Keep image) {
        if (!lost) {
            base.keep(image, full);
        }
    }

    /** How many records of a kind were appended in the whole run. */
    long appended(byte kind) {
        return appended[kind];
    }

    /** What would survive a crash now, without a copy: not to be kept, for it changes with the next write. */
    List<byte[]> durable() {
        return Collections.unmodifiableList(os ? records : records.subList(0, durable));
    }

    /** Whether the end of a process loses nothing that was written. */
    boolean os() {
        return os;
    }

    /** Whether nothing waits to become durable. */
    boolean idle() {
        return durable == records.size() && frozenFrom == NOT_FROZEN;
    }

    /** Appends a record; true when it is durable at once, else the consumer is told its ticket or a later one. */
    boolean append(Ticket ticket, byte[] record, Consumer<Ticket> whom) {
        appended[record[0]]++;
        if (record[0] == Records.SUM) {
            sum = records.size();
            sumEnd = 0;
        }
        records.add(record);
        sumEnd = record[0] == Records.SUM_END ? records.size() : sumEnd;
        lastTicket = ticket;
        told = whom;
        if (lost) {
            // There is no store: nothing is kept, and nothing waits for it.
            durable = records.size();
            durableTicket = ticket;
            return true;
        }
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
            shorten();
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
            shorten();
            if (!lastTicket.equals(durableTicket)) {
                flush();
            }
            Consumer<Ticket> taker = told;
            if (taker != null) {
                taker.accept(ticket);
            }
        });
    }

    /** When a sum is durable the base is forced some time later, and then no process needs what is before the sum. */
    private void shorten() {
        if (sumEnd == 0 || sumEnd > durable || full) {
            return;
        }
        int from = sum;
        sumEnd = 0;
        long mine = generation;
        timeline.after(chance.between(0, slowest), () -> {
            if (mine == generation && !full) {
                forget(from);
            }
        });
    }

    private void forget(int before) {
        base.flush();
        long needed = StoredSum.of(records.get(before)).number().value();
        if (base.number() < needed) {
            throw new IllegalStateException(
                    "a sum at certificate " + needed + " is to replace records, and the base is at " + base.number());
        }
        start = before;
    }

    /** The process ends in order: all that it wrote is durable. */
    void close() {
        if (!lost && !full && frozenFrom == NOT_FROZEN) {
            durable = records.size();
            base.flush();
            if (sumEnd > 0) {
                forget(sum);
            }
        }
    }

    /** The process ends: its writes under way may be lost, from some place on. */
    void crash() {
        generation++;
        sumEnd = 0;
        base.crash(full);
        if (lost) {
            records.clear();
            durable = 0;
        }
        flushing = false;
        if (os && !cut) {
            durable = records.size();
        }
        rebooted |= os && cut;
        cut = false;
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

    /** The next crash is one of the machine. */
    void powerCut() {
        cut = true;
    }

    /** Forgets everything; no process may use it now. */
    void lose() {
        records.clear();
        durable = 0;
        start = 0;
        base.lose();
        lost = true;
    }

    /** Empties its base, or flips a bit of it; no process may use it now. */
    void loseBase() {
        forgetLoaded();
        if (chance.happens(0.5)) {
            base.lose();
        } else {
            base.damage();
        }
    }

    /**
     * What a process that starts on it is told. A store is made together with its key, once: one that is gone is missed. One that
     * is older than it was is found to be good.
     */
    StoreState state() {
        if (rebooted) {
            return new StoreState.Amnesiac("its machine stopped before it did");
        }
        return lost ? new StoreState.Amnesiac("its store is gone") : StoreState.GOOD;
    }

    /** Keeps a copy of what is durable now. */
    void keepCopy() {
        copy = new Copy(List.copyOf(records.subList(0, durable)), start, base.copy());
    }

    /** Holds again what was durable when the copy was made; the base, now and then, is the newer one. No process may use it now. */
    void becomeCopy() {
        Copy earlier = copy;
        BaseDisk.Copy newer = base.copy();
        lose();
        lost = false;
        if (earlier != null) {
            records.addAll(earlier.records());
            durable = records.size();
            start = earlier.start();
            base.become(chance.happens(0.8) ? earlier.base() : newer);
        }
    }
}
