package org.aspas.emulab.rivals.bft;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.ClientId;

/** The state of an {@link OrderedStore}: counters, sets, and which request numbers of each client were executed. */
final class StoredValues {
    /** So many of a client's newest numbers are told apart; what is older counts as executed. */
    private static final int NEWEST_NUMBERS = 1024;

    private final Map<String, Long> counters = new TreeMap<>();
    private final Map<String, Set<String>> sets = new TreeMap<>();
    private final Map<ClientId, TreeSet<Long>> numbers = new TreeMap<>();

    long counter(String key) {
        return counters.getOrDefault(key, 0L);
    }

    /** Adds to a counter; gives its new value. */
    long add(String key, long amount) {
        return counters.merge(key, amount, Long::sum);
    }

    /** The elements of a set, empty when there is none. */
    Set<String> elements(String key) {
        return sets.getOrDefault(key, Set.of());
    }

    /** A set, to be changed. */
    Set<String> set(String key) {
        return sets.computeIfAbsent(key, unused -> new TreeSet<>());
    }

    /** Notes a number of a client; false when it was noted before. */
    boolean first(ClientId client, long number) {
        TreeSet<Long> known = numbers.computeIfAbsent(client, unused -> new TreeSet<>());
        if (known.size() >= NEWEST_NUMBERS && number < known.first()) {
            return false;
        }
        boolean fresh = known.add(number);
        if (known.size() > NEWEST_NUMBERS) {
            known.pollFirst();
        }
        return fresh;
    }

    /** Equal states have equal bytes. */
    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(counters.size());
            for (Map.Entry<String, Long> counter : counters.entrySet()) {
                out.writeUTF(counter.getKey());
                out.writeLong(counter.getValue());
            }
            out.writeInt(sets.size());
            for (Map.Entry<String, Set<String>> set : sets.entrySet()) {
                out.writeUTF(set.getKey());
                out.writeInt(set.getValue().size());
                for (String element : set.getValue()) {
                    out.writeUTF(element);
                }
            }
            out.writeInt(numbers.size());
            for (Map.Entry<ClientId, TreeSet<Long>> client : numbers.entrySet()) {
                out.write(client.getKey().toBytes());
                out.writeInt(client.getValue().size());
                for (long number : client.getValue()) {
                    out.writeLong(number);
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** @throws IllegalArgumentException when the bytes are no state */
    static StoredValues decode(byte[] bytes) {
        StoredValues state = new StoredValues();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int left = in.readInt(); left > 0; left--) {
                state.counters.put(in.readUTF(), in.readLong());
            }
            for (int left = in.readInt(); left > 0; left--) {
                Set<String> set = state.set(in.readUTF());
                for (int elements = in.readInt(); elements > 0; elements--) {
                    set.add(in.readUTF());
                }
            }
            for (int left = in.readInt(); left > 0; left--) {
                ClientId client =
                        ClientId.read(in.readNBytes(ClientId.LENGTH)).orElseThrow(() -> new IOException("no client"));
                TreeSet<Long> known = new TreeSet<>();
                for (int count = in.readInt(); count > 0; count--) {
                    known.add(in.readLong());
                }
                state.numbers.put(client, known);
            }
        } catch (IOException broken) {
            throw new IllegalArgumentException("no state of counters and sets", broken);
        }
        return state;
    }
}
