package org.aspas.certify.identity;

/**
 * Every bound that the servers and clients of one deployment share. They stand in the signed descriptor, so that all
 * nodes agree; each has a range, and related ones are checked together.
 *
 * @param clientFrameBytes the largest frame a client may send, 1 KiB to 16 MiB
 * @param linkFrameBytes the largest frame between servers, 64 KiB to 64 MiB, at least twice {@code clientFrameBytes}
 * @param keyBytes the longest key in bytes of UTF-8, 1 to 4096
 * @param operationBytes the largest encoded operation in bytes, 16 to {@code clientFrameBytes / 2}
 * @param batchEntries the most entries in one batch, 1 to 65536
 * @param batchBytes the most bytes of entries in one batch, at least {@code clientFrameBytes} and at most {@code
 *     linkFrameBytes / 2}
 * @param tickMillis the length of one step of ordered time in milliseconds, 5 to 10000
 * @param epochTicks the steps between two certificates at least, 0 to 10000; with 0 they follow each other as fast as what is new
 *     can be certified, and more seldom on busy machines
 * @param roundTicks the steps before a round of certification is asked again, 1 to 10000
 * @param retainedCertificates how many of the newest certificates an appserver keeps, 2 to 1000000
 */
public record Limits(
        int clientFrameBytes,
        int linkFrameBytes,
        int keyBytes,
        int operationBytes,
        int batchEntries,
        int batchBytes,
        int tickMillis,
        int epochTicks,
        int roundTicks,
        int retainedCertificates) {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;
    private static final int REQUEST_OVERHEAD_BYTES = KIB / 4;
    private static final int ENTRY_OVERHEAD_BYTES = 2 * KIB;

    /** Sane limits: a certificate as soon as there is something new to certify. */
    public static final Limits DEFAULT = new Limits(MIB / 4, 8 * MIB, 512, 64 * KIB, 1024, MIB, 100, 0, 10, 4096);

    public Limits {
        check("clientFrameBytes", clientFrameBytes, KIB, 16 * MIB);
        check("linkFrameBytes", linkFrameBytes, Math.max(64 * KIB, 2 * clientFrameBytes), 64 * MIB);
        check("keyBytes", keyBytes, 1, 4096);
        check("operationBytes", operationBytes, 16, clientFrameBytes / 2);
        check("batchEntries", batchEntries, 1, 65536);
        check("batchBytes", batchBytes, clientFrameBytes, linkFrameBytes / 2);
        check("tickMillis", tickMillis, 5, 10_000);
        check("epochTicks", epochTicks, 0, 10_000);
        check("roundTicks", roundTicks, 1, 10_000);
        check("retainedCertificates", retainedCertificates, 2, 1_000_000);
    }

    public Limits retaining(int certificates) {
        return new Limits(
                clientFrameBytes,
                linkFrameBytes,
                keyBytes,
                operationBytes,
                batchEntries,
                batchBytes,
                tickMillis,
                epochTicks,
                roundTicks,
                certificates);
    }

    /** The longest payload of a request that appservers take, in bytes: one with the largest key and operation. */
    public int requestBytes() {
        return operationBytes + keyBytes + REQUEST_OVERHEAD_BYTES;
    }

    /**
     * The longest entry that a correct origin makes, in bytes: a request with the largest key and operation, a dot and the
     * dependencies. A longer one is not taken from anybody.
     */
    public int entryBytes(int appservers) {
        return operationBytes + keyBytes + ENTRY_OVERHEAD_BYTES + 16 * appservers;
    }

    /**
     * The largest evidence that servers take, in bytes: what a client may bring in one frame, or two of the longest entries
     * with what proves their places.
     */
    public int evidenceBytes() {
        return clientFrameBytes + 64 * KIB;
    }

    /**
     * The largest command that the bftservers order, in bytes: the largest evidence with the verdicts of f+1 appservers.
     */
    public int commandBytes() {
        return evidenceBytes() + 64 * KIB;
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("limits." + name + " = " + value + " is outside " + least + ".." + most);
        }
    }
}
