package org.aspas.certify.replica;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * What one appserver has on its way into the order at one gateway: one report, one answer, and a few verdicts. Of reports
 * and answers only the newest is of use. A newer one takes the place of one that this bftserver has not submitted, and waits
 * behind one that it has. Not thread-safe.
 */
final class AppserverQueue {
    /** After this long the bftservers that did not submit a command at once submit it too. */
    static final long FALLBACK_MILLIS = 400;

    /** After this long what was submitted may be lost, as it is while too few bftservers run. */
    static final long AGAIN_MILLIS = 2 * FALLBACK_MILLIS;

    /** What is kept back goes after this long all the same: a question that stays open may end with another one about less. */
    static final long KEPT_BACK_MILLIS = 200;

    /** After this long without a sign of a command its place is free. */
    static final long FORGET_MILLIS = 30_000;

    /** How many verdicts may wait. */
    static final int VERDICTS = 4;

    /** What an appserver may say to the certification machine. */
    enum Lane {
        REPORT(1),
        ANSWER(1),
        VERDICT(VERDICTS);

        private final int places;

        Lane(int places) {
            this.places = places;
        }

        private boolean newestOnly() {
            return places == 1;
        }
    }

    /** A verified command that has not come out ordered. */
    static final class Waiting {
        private final Command command;
        private long since;
        private boolean submitted;
        private boolean keptBack;

        Waiting(Command command) {
            this.command = command;
        }

        Command command() {
            return command;
        }

        /** The command came, for the first time or again; whether this bftserver submits it at once. */
        void passed(long now, boolean atOnce) {
            since = now;
            submitted = atOnce;
            keptBack = false;
        }

        /** The command is of no use now: nobody submits it before its time has come. */
        void keepBack(long now) {
            since = now;
            keptBack = true;
        }

        /** Submits it if it is due. A bftserver that stood still meanwhile counts only the time that it should have waited. */
        boolean fallsDue(long now) {
            boolean due = !submitted && now - since >= FALLBACK_MILLIS;
            if (due) {
                passed(now - FALLBACK_MILLIS, true);
            }
            return due;
        }

        boolean again(long now) {
            return now - since >= AGAIN_MILLIS;
        }
    }

    private final long verdictBytes;
    private final Map<Lane, Map<Hash, Waiting>> lanes = new EnumMap<>(Lane.class);
    private final Map<Lane, Command> next = new EnumMap<>(Lane.class);

    /** Makes an empty share; all its waiting verdicts together are at most {@code verdictBytes} bytes long. */
    AppserverQueue(long verdictBytes) {
        this.verdictBytes = verdictBytes;
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new LinkedHashMap<>());
        }
    }

    private Map<Hash, Waiting> lane(Lane lane) {
        return lanes.getOrDefault(lane, Map.of());
    }

    @Nullable
    Waiting find(Hash command) {
        for (Map<Hash, Waiting> lane : lanes.values()) {
            Waiting found = lane.get(command);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Whether a command that is not here can be taken now; the newest report and answer that cannot is kept for later. */
    boolean admits(Lane lane, Command command, long now) {
        Map<Hash, Waiting> held = lane(lane);
        if (lane.newestOnly()) {
            boolean busy = held.values().stream().anyMatch(one -> one.submitted && !one.again(now));
            next.remove(lane);
            if (busy) {
                next.put(lane, command);
            }
            return !busy;
        }
        long bytes = held.values().stream()
                .mapToLong(one -> one.command.bytes().length)
                .sum();
        return held.size() < lane.places && bytes + command.bytes().length <= verdictBytes;
    }

    void hold(Lane lane, Waiting waiting) {
        Map<Hash, Waiting> held = lane(lane);
        if (lane.newestOnly()) {
            held.clear();
        }
        held.put(waiting.command.hash(), waiting);
    }

    /** A command has come out ordered; it, if it waited here. */
    @Nullable
    Waiting ordered(Hash command) {
        Waiting found = null;
        for (Map<Hash, Waiting> lane : lanes.values()) {
            Waiting removed = lane.remove(command);
            found = removed == null ? found : removed;
        }
        return found;
    }

    /** What is to be submitted now because those who submitted it at once did not get it ordered. */
    List<Command> overdue(long now) {
        List<Command> due = new ArrayList<>();
        for (Map<Hash, Waiting> lane : lanes.values()) {
            lane.values().removeIf(one -> now - one.since >= FORGET_MILLIS);
            for (Waiting one : lane.values()) {
                if (one.fallsDue(now)) {
                    due.add(one.command);
                }
            }
        }
        return due;
    }

    /** What is kept back in a lane: all of it, or what is for too long. */
    List<Waiting> keptBack(Lane lane, boolean all, long now) {
        return lane(lane).values().stream()
                .filter(one -> one.keptBack && (all || now - one.since >= KEPT_BACK_MILLIS))
                .toList();
    }

    /** The reports and answers whose turn has come; they are to be received anew. */
    List<Command> released(long now) {
        List<Command> free = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            Command waiting = next.get(lane);
            if (waiting != null && lane(lane).values().stream().allMatch(one -> one.again(now))) {
                next.remove(lane);
                free.add(waiting);
            }
        }
        return free;
    }
}
