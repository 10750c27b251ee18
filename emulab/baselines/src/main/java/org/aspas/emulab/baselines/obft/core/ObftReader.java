package org.aspas.emulab.baselines.obft.core;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proof;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Report;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Step;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one message. Every method leaves by {@link Malformed} when the next field is not what it reads; no list
 * can be longer than the bytes that are left. Not thread-safe; used once.
 */
final class ObftReader {
    /** Counts stay far below overflow. */
    private static final int MOST_BITS = 49;

    private static final int MAX_DEPTH = 4;

    private final ByteBuffer in;
    private final int replicas;
    private final int mostPerOrigin;

    ObftReader(ByteBuffer in, int replicas, int mostPerOrigin) {
        this.in = in;
        this.replicas = replicas;
        this.mostPerOrigin = mostPerOrigin;
    }

    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        private final String reason;

        Malformed(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    interface Item<T> {
        T read() throws Malformed;
    }

    private void need(long bytes) throws Malformed {
        if (bytes > in.remaining()) {
            throw new Malformed("bytes are missing");
        }
    }

    void end() throws Malformed {
        if (in.hasRemaining()) {
            throw new Malformed("bytes after the end");
        }
    }

    byte kind() throws Malformed {
        need(1);
        return in.get();
    }

    boolean flag() throws Malformed {
        byte flag = kind();
        if (flag != 0 && flag != 1) {
            throw new Malformed("a flag is 0 or 1");
        }
        return flag == 1;
    }

    private long integer() throws Malformed {
        need(Long.BYTES);
        return in.getLong();
    }

    long number() throws Malformed {
        long number = 0;
        for (int shift = 0; shift < MOST_BITS; shift += 7) {
            byte part = kind();
            number |= (part & 0x7fL) << shift;
            if (part >= 0) {
                return number;
            }
        }
        throw new Malformed("a number out of range");
    }

    int upTo(long bound) throws Malformed {
        long number = number();
        if (number > bound) {
            throw new Malformed("a number out of range");
        }
        return (int) number;
    }

    int replica() throws Malformed {
        return upTo(replicas - 1L);
    }

    Step step() throws Malformed {
        return flag() ? Step.COMMIT : Step.PREPARE;
    }

    int round() throws Malformed {
        return upTo(Integer.MAX_VALUE / 2);
    }

    private int length() throws Malformed {
        long length = number();
        need(length);
        return (int) length;
    }

    byte[] bytes() throws Malformed {
        byte[] bytes = new byte[length()];
        in.get(bytes);
        return bytes;
    }

    String text() throws Malformed {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes()))
                    .toString();
        } catch (CharacterCodingException broken) {
            throw new Malformed("a text is no UTF-8");
        }
    }

    Hash hash() throws Malformed {
        need(Hash.LENGTH);
        byte[] bytes = new byte[Hash.LENGTH];
        in.get(bytes);
        return Hash.of(bytes);
    }

    /** A list; every item takes a byte at least. */
    <T> List<T> list(Item<T> item) throws Malformed {
        int length = length();
        List<T> items = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            items.add(item.read());
        }
        return items;
    }

    <T> @Nullable T optional(Item<T> item) throws Malformed {
        return flag() ? item.read() : null;
    }

    VersionVector vector() throws Malformed {
        long[] components = new long[replicas];
        for (int origin = 0; origin < replicas; origin++) {
            components[origin] = number();
        }
        return VersionVector.of(components);
    }

    Operation operation() throws Malformed {
        return new Operation(text(), list(this::value));
    }

    Value value() throws Malformed {
        return value(0);
    }

    private Value value(int depth) throws Malformed {
        if (depth > MAX_DEPTH) {
            throw new Malformed("values nested too deep");
        }
        return switch (kind()) {
            case ObftWriter.INTEGER -> Value.of(integer());
            case ObftWriter.TEXT -> Value.of(text());
            case ObftWriter.BLOB -> Value.of(bytes());
            case ObftWriter.BLOB + 1 -> Value.sequence(list(() -> value(depth + 1)));
            default -> throw new Malformed("an unknown kind of value");
        };
    }

    AgreedSet set() throws Malformed {
        long epoch = number();
        VersionVector cut = vector();
        List<Hash> heads = new ArrayList<>();
        for (int origin = 0; origin < replicas; origin++) {
            heads.add(hash());
        }
        return new AgreedSet(epoch, cut, heads);
    }

    Proof proof() throws Malformed {
        Step step = step();
        int round = round();
        AgreedSet set = set();
        Map<Integer, byte[]> signatures = new TreeMap<>();
        int count = length();
        for (int i = 0; i < count; i++) {
            signatures.put(replica(), bytes());
        }
        return new Proof(step, round, set, signatures);
    }

    Report report() throws Malformed {
        List<Report> one = reports();
        if (one.size() != 1) {
            throw new Malformed("one report is wanted");
        }
        return one.get(0);
    }

    List<Report> reports() throws Malformed {
        List<List<List<Hash>>> logs = new ArrayList<>();
        return list(() -> {
            int reporter = replica();
            long epoch = number();
            byte[] signature = bytes();
            int log = upTo(logs.size());
            if (log == logs.size()) {
                logs.add(chains());
            }
            return new Report(reporter, epoch, logs.get(log), signature);
        });
    }

    private List<List<Hash>> chains() throws Malformed {
        List<List<Hash>> chains = new ArrayList<>();
        for (int origin = 0; origin < replicas; origin++) {
            List<Hash> chain = list(this::hash);
            if (chain.size() > mostPerOrigin) {
                throw new Malformed("a chain is too long");
            }
            chains.add(chain);
        }
        return chains;
    }
}
