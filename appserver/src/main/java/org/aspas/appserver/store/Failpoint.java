package org.aspas.appserver.store;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.aspas.appserver.core.step.Records;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at a chosen place of the store, as a power cut or a {@code kill -9} would, for tests of the whole program:
 * {@code -Daspas.failpoint=before-write:20} at the twentieth group of records, {@code in-certificate:20} at the twentieth
 * certificate. For one thread.
 */
final class Failpoint {
    /** Records were taken, and nothing of them is written. */
    static final String BEFORE_WRITE = "before-write";
    /** Records are written, and the disk need not have them. */
    static final String BEFORE_SYNC = "before-sync";
    /** The head of a snapshot is written, and what came after it is not. */
    static final String SNAPSHOT_HEAD = "snapshot-head";
    /** A part of a snapshot is written, and what came after it is not. */
    static final String SNAPSHOT_PART = "snapshot-part";
    /** It is written that a snapshot is installed, and what came after that is not. */
    static final String SNAPSHOT_END = "snapshot-end";
    /** A certificate is written, what came after it is not, and the disk need not have it. */
    static final String IN_CERTIFICATE = "in-certificate";

    private static final Map<Byte, String> INSIDE = Map.of(
            Records.SNAPSHOT_HEAD, SNAPSHOT_HEAD,
            Records.SNAPSHOT_CHUNK, SNAPSHOT_PART,
            Records.SNAPSHOT_INSTALLED, SNAPSHOT_END,
            Records.CERTIFICATE, IN_CERTIFICATE);

    private static final Logger LOG = LoggerFactory.getLogger(Failpoint.class);
    private static final String PROPERTY = "aspas.failpoint";
    private static final int KILLED = 137;
    /** What left too early has this long to arrive, so that somebody can say that it was lost. */
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final String place;
    private long left;

    private Failpoint(String place, long left) {
        this.place = place;
        this.left = left;
    }

    /** What the process was started with; usually nothing, and then it never ends anything. */
    static Failpoint ofProcess() {
        String[] chosen = System.getProperty(PROPERTY, ":0").split(":", 2);
        return new Failpoint(chosen[0], chosen.length < 2 ? 1 : Long.parseLong(chosen[1]));
    }

    /** Whether the process is to end right behind this record of a group, before the ones after it. */
    boolean inside(byte[] record) {
        return left > 0 && record.length > 0 && place.equals(INSIDE.get(record[0]));
    }

    void reachInside(byte[] record) {
        reach(INSIDE.getOrDefault(record[0], ""));
    }

    /** Ends the process if this is the chosen place, reached as often as chosen. */
    void reach(String where) {
        if (where.equals(place) && --left == 0) {
            if (!INSIDE.containsValue(where)) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            LOG.error("failpoint {}: the process ends", where);
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
