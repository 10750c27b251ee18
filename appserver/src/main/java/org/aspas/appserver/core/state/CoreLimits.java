package org.aspas.appserver.core.state;

import org.aspas.certify.identity.Limits;

/**
 * The bounds that the core keeps. All are at least 1.
 *
 * @param maxKeyBytes the length of an object key in UTF-8
 * @param maxRequestBytes the length of a signed request's payload
 * @param maxEntryBytes the length of an encoded entry: a batch with a longer one is not taken
 * @param maxEvidenceBytes the length of encoded evidence: longer evidence is not taken, as no command could carry it
 * @param maxBatchBytes the bytes of the entries of one batch; one larger entry still travels alone
 * @param maxPendingEntries accepted entries of one origin that wait for others
 * @param maxPendingBytes the encoded bytes of such entries of one origin; at least {@code maxBatchBytes} and {@code
 *     maxEntryBytes}, so that where nothing waits any batch of a correct origin is taken. Each origin has its own share
 * @param maxUnanswered effects that wait for durability; beyond it updates are refused as busy
 * @param frontierMillis the time between two rounds of anti-entropy
 * @param reportMillis the least time from a report to the bftservers, or from a question of theirs, to the next report, while nothing
 *     waits for the core and the network sets the pace of certificates: so short that the next tick ends it. Elsewhere it is more
 * @param repeatMillis the time after which what was not acknowledged is sent again
 */
public record CoreLimits(
        int maxKeyBytes,
        int maxRequestBytes,
        int maxEntryBytes,
        int maxEvidenceBytes,
        int maxBatchEntries,
        int maxBatchBytes,
        int maxPendingEntries,
        int maxPendingBytes,
        int maxUnanswered,
        RetentionLimits retention,
        long frontierMillis,
        long reportMillis,
        long repeatMillis) {
    /** The bounds that suit a deployment of a few servers. */
    public static final CoreLimits USUAL = new CoreLimits(
            512,
            64 << 10,
            68 << 10,
            320 << 10,
            1024,
            1 << 20,
            16_384,
            8 << 20,
            100_000,
            RetentionLimits.USUAL,
            500,
            10,
            1_000);

    /** The bounds that follow from what a deployment shares; for the others, the usual ones. */
    public static CoreLimits of(Limits shared, int appservers) {
        return new CoreLimits(
                shared.keyBytes(),
                shared.requestBytes(),
                shared.entryBytes(appservers),
                shared.evidenceBytes(),
                shared.batchEntries(),
                shared.batchBytes(),
                USUAL.maxPendingEntries,
                Math.max(USUAL.maxPendingBytes, 2 * shared.batchBytes()),
                USUAL.maxUnanswered,
                USUAL.retention.keeping(shared.retainedCertificates(), USUAL.retention.millis()),
                USUAL.frontierMillis,
                Math.max(USUAL.reportMillis, 3L * shared.epochTicks() * shared.tickMillis() / 4),
                USUAL.repeatMillis);
    }

    public CoreLimits keeping(RetentionLimits other) {
        return new CoreLimits(
                maxKeyBytes,
                maxRequestBytes,
                maxEntryBytes,
                maxEvidenceBytes,
                maxBatchEntries,
                maxBatchBytes,
                maxPendingEntries,
                maxPendingBytes,
                maxUnanswered,
                other,
                frontierMillis,
                reportMillis,
                repeatMillis);
    }

    /**
     * Of each certificate whose number is a multiple of this there is a snapshot: at least four in the time for which certificates
     * are kept, so that whoever installs one finds the certificates after it.
     */
    public int snapshotEvery() {
        return Math.max(1, retention.certificates() / 4);
    }

    /** There is one too, at the latest, when the entries certified since the last one have so many bytes: four fit into what is kept. */
    public long snapshotBytes() {
        return Math.max(1, retention.bytes() / 4);
    }

    public CoreLimits {
        long least = Math.min(Math.min(maxKeyBytes, maxRequestBytes), Math.min(maxBatchEntries, maxBatchBytes));
        least = Math.min(least, Math.min(maxEntryBytes, maxEvidenceBytes));
        least = Math.min(least, Math.min(maxPendingEntries, maxUnanswered));
        least = Math.min(least, Math.min(frontierMillis, Math.min(reportMillis, repeatMillis)));
        if (least < 1) {
            throw new IllegalArgumentException("a limit of the core is " + least + ", below 1");
        }
        if (maxPendingBytes < Math.max(maxBatchBytes, maxEntryBytes)) {
            throw new IllegalArgumentException("maxPendingBytes is " + maxPendingBytes + ", below maxBatchBytes, "
                    + maxBatchBytes + ", or maxEntryBytes, " + maxEntryBytes);
        }
    }
}
