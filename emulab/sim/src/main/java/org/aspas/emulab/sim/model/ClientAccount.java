package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.OpenSession;

/** What is certified of one client (docs/formats.md §6). For one thread. */
final class ClientAccount {
    /** So many numbers are one block, and so many blocks below the newest one are remembered. */
    private static final int BLOCK = 32;

    private static final int BLOCKS = 32;

    /** A number that is higher than the lowest uncounted one by this or more cannot count. */
    private static final long SPAN = 131_072;

    private final ClientId client;
    private final Map<Long, CountedUpdate> counted = new LinkedHashMap<>();
    private long session;
    private long tolerance;
    private long highest;
    private long highestBefore;
    private long missing = 1;

    ClientAccount(ClientId client) {
        this.client = client;
    }

    Optional<CountedUpdate> counted(long number) {
        return Optional.ofNullable(counted.get(number));
    }

    Map<Long, CountedUpdate> all() {
        return counted;
    }

    /** Of several sessions the one with the highest number stands; of several with that number the first. */
    void open(OpenSession opened) {
        if (opened.number() > session) {
            session = opened.number();
            tolerance = opened.tolerance();
        }
    }

    void count(CountedUpdate update) {
        long number = update.request().number();
        counted.put(number, update);
        highest = Math.max(highest, number);
    }

    /** Whether another entry with a counted update's words is a further place of it, in a certificate. */
    boolean remembers(CountedUpdate update, long certificate) {
        return update.certificate() == certificate
                || (update.request().number() - 1) / BLOCK >= (highestBefore - 1) / BLOCK - BLOCKS;
    }

    /** Whether a number without a counted update may get one, in a certificate that has not ended. */
    boolean mayCount(long number) {
        return number < missing + SPAN;
    }

    /** Ends a certificate. */
    void settle() {
        highestBefore = highest;
        while (counted.containsKey(missing)) {
            missing++;
        }
    }

    byte[] path() {
        return Sha256.named("client-path", client.toBytes());
    }

    /** The leaf, from all counted updates at once. */
    byte[] leaf() {
        int full = 0;
        while (bits(full) == 0xff) {
            full++;
        }
        int bytes = (int) ((highest + 7) / 8) - full;
        byte[] rest = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            rest[i] = (byte) bits(full + i);
        }
        long last = highest == 0 ? -1 : (highest - 1) / BLOCK;
        long first = Math.max(0, last - BLOCKS);
        Cbor leaf = new Cbor()
                .array(7)
                .integer(1)
                .string(client.toBytes())
                .integer(session)
                .integer(tolerance)
                .integer(full)
                .string(rest)
                .array((int) (last - first + 1));
        for (long block = first; block <= last; block++) {
            leaf.string(block(block));
        }
        return Sha256.named("client-leaf", leaf.bytes());
    }

    /** Which of the numbers 8 place + 1 to 8 place + 8 are counted, the first as the lowest bit. */
    private int bits(int place) {
        int bits = 0;
        for (int i = 0; i < 8; i++) {
            bits |= counted.containsKey(8L * place + i + 1) ? 1 << i : 0;
        }
        return bits;
    }

    private byte[] block(long block) {
        List<CountedUpdate> members = new ArrayList<>();
        for (long number = block * BLOCK + 1; number <= (block + 1) * BLOCK; number++) {
            counted(number).ifPresent(members::add);
        }
        Cbor list = new Cbor().array(members.size());
        for (CountedUpdate member : members) {
            list.array(3).integer(member.request().number()).dot(member.dot()).hash(member.identity());
        }
        return Sha256.named("counted-block", list.bytes());
    }
}
