package org.aspas.appserver.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The records that the store itself writes among those of the core: what it is, how it is used, and whether that ended in order.
 * Their kinds are from {@value #FIRST} on, the core's are below. The core never gets them.
 */
final class StoreRecord {
    /** The lowest kind. */
    static final byte FIRST = 64;
    /** The store was made: deployment id (32 bytes), index (4, big-endian), SHA-256 of the key (32). */
    static final byte FOUNDED = 64;
    /** A process uses it from here on: how durably (1 byte), boot id (ASCII; empty when it is not known). */
    static final byte RUN = 65;
    /** That process ended in order, and all before this is durable; nothing follows. */
    static final byte ENDED = 66;

    private StoreRecord() {}

    /** Whether a record is the store's own. */
    static boolean is(byte[] record) {
        return record.length > 0 && record[0] >= FIRST;
    }

    static byte[] founded(StoreOwner owner) {
        byte[] record = new byte[1 + 32 + Integer.BYTES + 32];
        record[0] = FOUNDED;
        System.arraycopy(owner.deployment().toBytes(), 0, record, 1, 32);
        System.arraycopy(owner.index(), 0, record, 33, Integer.BYTES);
        System.arraycopy(owner.keyHash().toBytes(), 0, record, 37, 32);
        return record;
    }

    static byte[] run(Durability durability, String boot) {
        byte[] name = boot.getBytes(StandardCharsets.US_ASCII);
        byte[] record = new byte[2 + name.length];
        record[0] = RUN;
        record[1] = durability.code();
        System.arraycopy(name, 0, record, 2, name.length);
        return record;
    }

    static byte[] ended() {
        return new byte[] {ENDED};
    }

    /** How durably a {@link #RUN} was; 0 when it does not say. */
    static byte durability(byte[] run) {
        return run.length > 1 ? run[1] : 0;
    }

    static String boot(byte[] run) {
        return new String(run, Math.min(2, run.length), Math.max(0, run.length - 2), StandardCharsets.US_ASCII);
    }

    static boolean founds(byte[] record, StoreOwner owner) {
        return Arrays.equals(record, founded(owner));
    }
}
