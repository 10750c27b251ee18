package org.aspas.certify.machine;

import java.util.Comparator;
import java.util.TreeMap;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Recover;

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

    private record Claim(Epoch epoch, CertificateNumber number, long attempt) {}

    Recovery(Quorums quorums) {
        this.quorums = quorums;
    }

    /** Whether certification has begun. */
    boolean open() {
        return open;
    }

    /**
     * Takes a statement; only replicas with complete records count. The order does not know whether it was made in this
     * life or is an earlier one that somebody repeats: of the epochs that a replica claims the highest counts, and so of the attempts of
     * one number.
     *
     * @return whether certification begins with this one
     */
    boolean put(Recover statement) {
        if (!statement.knowing()) {
            return false;
        }
        Claim before = claims.get(statement.replica());
        Epoch epoch = before == null ? statement.epoch() : Epoch.max(before.epoch(), statement.epoch());
        long attempt = before != null && before.number().equals(statement.number())
                ? Math.max(before.attempt(), statement.attempt())
                : statement.attempt();
        claims.put(statement.replica(), new Claim(epoch, statement.number(), attempt));
        boolean opens = !open && claims.size() >= quorums.bftserverQuorum();
        open |= opens;
        return opens;
    }

    /** The epoch after which a cold start begins: none in a new deployment, else above all that were used before. */
    Epoch firstEpoch() {
        long bound = supportedEpoch().value() + TRUST;
        long highest = claims.values().stream()
                .mapToLong(claim -> Math.min(claim.epoch().value(), bound))
                .max()
                .orElse(0);
        return beyond(new Epoch(highest));
    }

    /** An epoch far above this one. */
    static Epoch beyond(Epoch epoch) {
        return Epoch.max(epoch, new Epoch(Math.min(epoch.value() + EPOCH_STEP, MOST)));
    }

    /** The highest epoch that at least b+1 replicas claim to have reached: one correct replica has. */
    Epoch supportedEpoch() {
        return claims.values().stream()
                .map(Claim::epoch)
                .sorted(Comparator.reverseOrder())
                .skip(quorums.oneCorrectBftserver() - 1L)
                .findFirst()
                .orElse(Epoch.NONE);
    }

    /** An attempt for a content with this number that is newer than the proven one, and than what replicas claim. */
    long attempt(CertificateNumber number, long proven) {
        long bound = proven + TRUST;
        long highest = claims.values().stream()
                .filter(claim -> claim.number().equals(number))
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
            writer.number(claim.epoch.value());
            writer.number(claim.number.value());
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
            Epoch epoch = new Epoch(reader.number(0));
            CertificateNumber number = new CertificateNumber(reader.number(0));
            recovery.claims.put(replica, new Claim(epoch, number, reader.number(0)));
            next = replica + 1;
        }
        return recovery;
    }
}
