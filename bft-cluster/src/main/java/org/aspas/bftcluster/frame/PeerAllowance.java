package org.aspas.bftcluster.frame;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Bounds what one peer may make the library keep. The library stores consensus messages of instances that it has not
 * reached, and leader change messages of regencies that it has not reached, without bound; and it serializes its state
 * for whoever asks. Not thread-safe: one per peer, used on the thread that reads from that peer.
 */
public final class PeerAllowance {
    private static final long AHEAD_BYTES = 32L << 20;
    private static final int AHEAD_MESSAGES = 50_000;
    private static final int AHEAD_REGENCIES = 16;
    private static final int QUESTIONS = 20;
    private static final long REFILL_NANOS = 200_000_000L;

    private final TreeMap<Integer, long[]> ahead = new TreeMap<>();
    private final Map<Integer, Set<Judgement.Kind>> regencies = new TreeMap<>();
    private long aheadBytes;
    private long aheadMessages;
    private int questions = QUESTIONS;
    private long refilledNanos = Long.MIN_VALUE;

    /** Where the local replica stands. */
    public interface Position {
        /** The last instance that it executed; -1 for none. */
        int instance();

        /** The regency that it is in. */
        int regency();
    }

    /**
     * Whether the library may have a frame now.
     *
     * @param frame what it is
     * @param here the local replica
     * @param nanos the time, from {@link System#nanoTime()}
     */
    public boolean admits(Judgement.Accepted frame, Position here, long nanos) {
        return switch (frame.kind()) {
            case PROPOSE, WRITE, ACCEPT -> instance(frame, here.instance());
            case STOP, STOPDATA, SYNC -> regency(frame, here.regency());
            case STATE_REQUEST -> question(nanos);
            case FORWARD, STATE_REPLY, POSITION_REQUEST, POSITION_REPLY -> true;
        };
    }

    private boolean instance(Judgement.Accepted frame, int done) {
        forget(done);
        if (frame.number() <= done + 1) {
            return true;
        }
        if (aheadBytes + frame.bytes() > AHEAD_BYTES || aheadMessages >= AHEAD_MESSAGES) {
            return false;
        }
        long[] sum = ahead.computeIfAbsent(frame.number(), number -> new long[2]);
        sum[0] += frame.bytes();
        sum[1]++;
        aheadBytes += frame.bytes();
        aheadMessages++;
        return true;
    }

    private void forget(int done) {
        while (!ahead.isEmpty() && ahead.firstKey() <= done + 1) {
            long[] sum = ahead.pollFirstEntry().getValue();
            aheadBytes -= sum[0];
            aheadMessages -= sum[1];
        }
    }

    /** Of a regency beyond the next one, each kind of message once. */
    private boolean regency(Judgement.Accepted frame, int current) {
        Iterator<Integer> past = regencies.keySet().iterator();
        while (past.hasNext() && past.next() <= current + 1) {
            past.remove();
        }
        if (frame.number() <= current + 1) {
            return true;
        }
        return frame.number() <= current + AHEAD_REGENCIES
                && regencies
                        .computeIfAbsent(frame.number(), number -> new HashSet<>())
                        .add(frame.kind());
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
