package org.aspas.appserver.core.state;

import org.aspas.certify.log.MerkleLog;

/**
 * How long a server keeps what is certified (docs/durability.md). All are at least 1.
 *
 * @param certificates how many certificates must have followed one before it may go, with the entries that it added
 * @param millis how long it must have been adopted
 * @param bytes more encoded bytes of certificates and their entries than this are not kept, whatever the other two say
 * @param leafMillis how long the hashes of forgotten entries are kept after their certificate was adopted: so long can a lie about
 *     their places be proved
 * @param leafBytes more bytes of these hashes than this are not kept; they are on the disk
 * @param uncertifiedBytes the encoded bytes of own entries that no certificate covers; beyond it updates are refused as busy. Of
 *     another origin twice as many are taken
 * @param leafBlockLevel the hashes leave memory in blocks of 2^this, from 0 to 20
 */
public record RetentionLimits(
        int certificates,
        long millis,
        long bytes,
        long leafMillis,
        long leafBytes,
        long uncertifiedBytes,
        int leafBlockLevel) {
    private static final long HOUR = 3_600_000;
    private static final long MIB = 1 << 20;

    private static final int MOST_LEVEL = 20;

    /** About an hour, and hashes for a day, in blocks of 32 KiB. */
    public static final RetentionLimits USUAL =
            new RetentionLimits(1024, HOUR, 64 * MIB, 24 * HOUR, 1024 * MIB, 64 * MIB, MerkleLog.BLOCK_LEVEL);

    public RetentionLimits {
        long least = Math.min(certificates, Math.min(millis, bytes));
        if (Math.min(least, Math.min(leafMillis, Math.min(leafBytes, uncertifiedBytes))) < 1) {
            throw new IllegalArgumentException("a limit of what is kept is below 1");
        }
        if (leafBlockLevel < 0 || leafBlockLevel > MOST_LEVEL) {
            throw new IllegalArgumentException("leafBlockLevel = " + leafBlockLevel + " is outside 0..20");
        }
    }

    public RetentionLimits keeping(int newest, long newMillis) {
        return new RetentionLimits(newest, newMillis, bytes, leafMillis, leafBytes, uncertifiedBytes, leafBlockLevel);
    }
}
