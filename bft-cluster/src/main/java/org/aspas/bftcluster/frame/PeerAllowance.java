package org.aspas.bftcluster.frame;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what one peer may make the library keep. The library stores, without bound, consensus messages of instances
 * that it has not begun, and leader change messages of regencies that it has not reached. It counts a STOPDATA or a
 * SYNC again each time that it comes, and it serializes its state for whoever asks.
 *
 * <p>So a peer may say each thing of one instance and epoch a few times. It may say its STOPDATA and its SYNC of a
 * regency once. Its STOP, which correct replicas repeat until it has had its effect, it may say again after a while.
 * Not thread-safe: there is one for each peer.
 */
public final class PeerAllowance {
    private static final long AHEAD_BYTES = 32L << 20;
    private static final int AHEAD_MESSAGES = 50_000;
    private static final int AHEAD_REGENCIES = 16;
    /** How often one thing may be said of an instance: a peer that was made anew may have to say it again. */
    private static final int REPEATED = 4;

    private static final int QUESTIONS = 20;
    private static final long REFILL_NANOS = 200_000_000L;
    /** Correct replicas repeat a STOP after their request timeout, which is at least 500 ms. */
    private static final long REPEAT_STOP_NANOS = 250_000_000L;

    private final long aheadBytesAtMost;
    private final TreeMap<Integer, Instance> instances = new TreeMap<>();
    private final TreeMap<Integer, Regency> regencies = new TreeMap<>();
    private long aheadBytes;
    private long aheadMessages;
    private int questions = QUESTIONS;
    private long refilledNanos = Long.MIN_VALUE;

    /**
     * Where the local replica stands.
     *
     * @param instance the last instance that it executed; -1 for none
     */
    public record Position(int instance, int regency) {}

    /** What was said of one instance that is not executed yet. */
    private static final class Instance {
        private final Map<Long, Integer> said = new HashMap<>();
        private long bytes;
        private long messages;
    }

    private static final class Regency {
        private final Set<FrameVerdict.Kind> said = new HashSet<>();
        private long stopNanos;
    }

    /** Makes an unused allowance, which always has room for two frames of {@code maxFrameBytes} bytes. */
    public PeerAllowance(int maxFrameBytes) {
        aheadBytesAtMost = Math.max(AHEAD_BYTES, 2L * maxFrameBytes);
    }

    public enum Answer {
        ADMITTED,
        /** It was said a moment ago and would change nothing: correct replicas repeat it. */
        REPEATED,
        /** It is more than a correct replica says. */
        REFUSED;

        static Answer of(boolean admitted) {
            return admitted ? ADMITTED : REFUSED;
        }
    }

    /** Whether the library may have a frame at this moment of {@link System#nanoTime()}. */
    public Answer judge(FrameVerdict.Accepted frame, Position here, long nanos) {
        return switch (frame.kind()) {
            case PROPOSE, WRITE, ACCEPT -> Answer.of(instance(frame, here.instance()));
            case STOP -> stop(frame.number(), here.regency(), nanos);
            case STOPDATA, SYNC -> Answer.of(once(frame, here.regency()));
            case STATE_REQUEST -> Answer.of(question(nanos));
            case FORWARD, STATE_REPLY, POSITION_REQUEST, POSITION_REPLY -> Answer.ADMITTED;
        };
    }

    /** Frames of executed instances always pass, because the library keeps nothing of them. */
    private boolean instance(FrameVerdict.Accepted frame, int done) {
        forget(done);
        if (frame.number() <= done) {
            return true;
        }
        boolean next = frame.number() == done + 1;
        boolean full = aheadBytes + frame.bytes() > aheadBytesAtMost || aheadMessages >= AHEAD_MESSAGES;
        if (full && !next) {
            return false;
        }
        Instance instance = instances.computeIfAbsent(frame.number(), number -> new Instance());
        Vote vote = frame.vote();
        long what =
                frame.kind().ordinal() + (long) FrameVerdict.Kind.values().length * (vote == null ? 0 : vote.epoch());
        if (instance.said.merge(what, 1, Integer::sum) > REPEATED) {
            return false;
        }
        instance.bytes += frame.bytes();
        instance.messages++;
        aheadBytes += frame.bytes();
        aheadMessages++;
        return true;
    }

    private void forget(int done) {
        while (!instances.isEmpty() && instances.firstKey() <= done) {
            Instance past = instances.pollFirstEntry().getValue();
            aheadBytes -= past.bytes;
            aheadMessages -= past.messages;
        }
    }

    /** Of a regency beyond the next one once; of the next one, which the library uses, again after a while. */
    private Answer stop(int number, int current, long nanos) {
        if (number <= current) {
            return Answer.ADMITTED;
        }
        Regency regency = regency(number, current);
        if (regency == null) {
            return Answer.REFUSED;
        }
        boolean first = regency.said.add(FrameVerdict.Kind.STOP);
        boolean again = number == current + 1 && nanos - regency.stopNanos >= REPEAT_STOP_NANOS;
        if (first || again) {
            regency.stopNanos = nanos;
        }
        return first || again ? Answer.ADMITTED : Answer.REPEATED;
    }

    /** Frames of regencies that the library has left always pass, because it keeps nothing of them. */
    private boolean once(FrameVerdict.Accepted frame, int current) {
        if (frame.number() < current) {
            return true;
        }
        Regency regency = regency(frame.number(), current);
        return regency != null && regency.said.add(frame.kind());
    }

    private @Nullable Regency regency(int number, int current) {
        Iterator<Integer> past = regencies.keySet().iterator();
        while (past.hasNext() && past.next() < current) {
            past.remove();
        }
        return number > current + AHEAD_REGENCIES ? null : regencies.computeIfAbsent(number, any -> new Regency());
    }

    private boolean question(long nanos) {
        if (refilledNanos == Long.MIN_VALUE) {
            refilledNanos = nanos;
        }
        long periods = Math.max(0, (nanos - refilledNanos) / REFILL_NANOS);
        refilledNanos += periods * REFILL_NANOS;
        questions = (int) Math.min(QUESTIONS, questions + periods);
        if (questions == 0) {
            return false;
        }
        questions--;
        return true;
    }
}
