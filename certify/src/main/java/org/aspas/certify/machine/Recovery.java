package org.aspas.certify.machine;

import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.message.Recover;
import org.aspas.certify.quorum.Quorums;

/**
 * What replicas said of their records since the order began (the protocol page, docs/protocol.md §5.5). Certification is
 * held back until 2b+1 replicas with complete records spoke. What a statement proves is the machine's affair; here are its
 * bare claims, and how far each may move anything: a liar can neither exhaust a number nor keep a content from its end.
 */
final class Recovery {
    /** How far the epochs of a cold start lie above those of the one before. */
    static final long EPOCH_STEP = 1L << 32;

    /** How far one replica's claim may lie above what others make plausible. */
    private static final long TRUST = 1L << 34;

    private static final int MOST_RETRIES = 16;
    private static final long MOST = Long.MAX_VALUE / 4;

    private final Quorums quorums;
    private final TreeMap<Integer, Claim> claims = new TreeMap<>();
    private boolean open;
    private int retries;
    private long retryAt;

    private record Claim(long epoch, long number, long attempt) {}

    Recovery(Quorums quorums) {
        this.quorums = quorums;
    }

    /** Whether certification has begun. */
    boolean open() {
        return open;
    }

    /**
     * Takes a statement; only replicas with complete records count. The order does not know whether it was made in this
     * life or is an earlier one that somebody repeats: of the epochs that a replica claims the highest counts.
     *
     * @return whether certification begins with this one
     */
    boolean put(Recover statement) {
        if (!statement.knowing()) {
            return false;
        }
        Claim before = claims.get(statement.replica());
        long epoch = before == null ? statement.epoch() : Math.max(before.epoch(), statement.epoch());
        claims.put(statement.replica(), new Claim(epoch, statement.number(), statement.attempt()));
        boolean opens = !open && claims.size() >= quorums.bftserverQuorum();
        open |= opens;
        return opens;
    }

    /** The epoch after which a cold start begins: 0 in a new deployment, else above all that were used before. */
    long firstEpoch() {
        List<Long> epochs = claims.values().stream().map(Claim::epoch).toList();
        long bound = supported(epochs) + TRUST;
        long highest =
                epochs.stream().mapToLong(epoch -> Math.min(epoch, bound)).max().orElse(0);
        return beyond(highest);
    }

    /** An epoch far above this one. */
    static long beyond(long epoch) {
        return Math.max(epoch, Math.min(epoch + EPOCH_STEP, MOST));
    }

    /** An epoch that b+1 replicas claim to have reached; 0 when there is none. */
    long supportedEpoch() {
        return supported(claims.values().stream().map(Claim::epoch).toList());
    }

    /** The highest value that at least b+1 of these reach: one correct replica does. */
    private long supported(List<Long> values) {
        return values.stream()
                .sorted(java.util.Comparator.reverseOrder())
                .skip(quorums.oneCorrectBftserver() - 1L)
                .findFirst()
                .orElse(0L);
    }

    /** An attempt for a content with this number that is newer than the proven one, and than what replicas claim. */
    long attempt(long number, long proven) {
        long bound = proven + TRUST;
        long highest = claims.values().stream()
                .filter(claim -> claim.number() == number)
                .mapToLong(claim -> Math.min(claim.attempt(), bound))
                .max()
                .orElse(0);
        return Math.max(highest, proven) + 1;
    }

    /** Whether an attempt may be replaced now by a newer one because a replica says so; each time the pause doubles. */
    boolean mayRetry(long now) {
        if (now < retryAt) {
            return false;
        }
        retryAt = now + (1L << retries);
        retries = Math.min(retries + 1, MOST_RETRIES);
        return true;
    }

    /** A content came to its end: the next one may be retried at once. */
    void settled() {
        retries = 0;
        retryAt = 0;
    }

    void write(SnapshotWriter writer) {
        writer.flag(open);
        writer.number(retries);
        writer.number(retryAt);
        writer.number(claims.size());
        claims.forEach((replica, claim) -> {
            writer.number(replica);
            writer.number(claim.epoch);
            writer.number(claim.number);
            writer.number(claim.attempt);
        });
    }

    static Recovery read(SnapshotReader reader, Quorums quorums) {
        Recovery recovery = new Recovery(quorums);
        recovery.open = reader.flag();
        recovery.retries = reader.count(0, MOST_RETRIES);
        recovery.retryAt = reader.number(0);
        int size = reader.count(0, quorums.bftservers());
        int next = 0;
        for (int i = 0; i < size; i++) {
            int replica = reader.count(next, quorums.bftservers() - 1);
            recovery.claims.put(replica, new Claim(reader.number(0), reader.number(0), reader.number(0)));
            next = replica + 1;
        }
        return recovery;
    }
}
