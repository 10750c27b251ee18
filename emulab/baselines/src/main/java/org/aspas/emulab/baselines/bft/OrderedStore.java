package org.aspas.emulab.baselines.bft;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.shell.NoSignatures;
import org.jspecify.annotations.Nullable;

/**
 * Counters and sets as a deterministic state machine. A command is one byte that says where it came from, and a frame as clients
 * of ASPAS send it: a REQUEST or a READ. An answer is an ANSWER, the same at every replica. A request that was executed before
 * is answered again and has no second effect. Thread-safe, so that others can look at the state.
 */
public final class OrderedStore implements OrderedMachine {
    /** Who asks a read: the command does not say. */
    static final ClientId NOBODY = ClientId.NOBODY;

    private static final byte[] NO_ANSWER = new byte[0];

    private StoredValues values = new StoredValues();

    /**
     * The command of a frame.
     *
     * @param origin the index of the appserver that the frame came through; 0 without one
     */
    static byte[] command(int origin, byte[] frame) {
        byte[] command = new byte[frame.length + 1];
        command[0] = (byte) origin;
        System.arraycopy(frame, 0, command, 1, frame.length);
        return command;
    }

    static int origin(byte[] command) {
        return Byte.toUnsignedInt(command[0]);
    }

    static byte[] frame(byte[] command) {
        return Arrays.copyOfRange(command, 1, command.length);
    }

    @Override
    public synchronized byte[] apply(byte[] command) {
        Optional<Frame> frame = command.length < 2
                ? Optional.empty()
                : Codec.decode(frame(command)).accepted();
        if (frame.isEmpty()) {
            return NO_ANSWER;
        }
        if (frame.get() instanceof Frame.Plain plain && plain.message() instanceof Read read) {
            return answer(NOBODY, read.nonce(), value(read.key(), read.type()), null);
        }
        return frame.get() instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Request request
                ? update(request)
                : NO_ANSWER;
    }

    private byte[] update(Request request) {
        boolean counter = request.type().equals(DataTypes.PN_COUNTER.name());
        boolean fits = request.number() >= 1
                && DataTypes.byName(request.type())
                        .filter(type -> type.check(request.operation()).isEmpty())
                        .isPresent();
        Value result = Value.sequence(List.of());
        if (fits && values.first(request.client(), request.number())) {
            result = counter ? count(request) : change(request);
        } else if (fits && counter) {
            result = Value.of(values.counter(request.key()));
        }
        return answer(request.client(), request.number(), result, new Dot(0, Math.max(1, request.number())));
    }

    private Value count(Request request) {
        long amount = request.operation().argument() instanceof Value.Int number ? number.value() : 0;
        long sign = request.operation().name().equals("decrement") ? -1 : 1;
        return Value.of(values.add(request.key(), sign * amount));
    }

    private Value change(Request request) {
        Set<String> set = values.set(request.key());
        switch (request.operation().name()) {
            case "add" -> text(request).ifPresent(set::add);
            case "remove" -> text(request).ifPresent(set::remove);
            default -> set.clear();
        }
        return Value.sequence(List.of());
    }

    private static Optional<String> text(Request request) {
        return request.operation().argument() instanceof Value.Text text ? Optional.of(text.value()) : Optional.empty();
    }

    private Value value(String key, String type) {
        return type.equals(DataTypes.PN_COUNTER.name())
                ? Value.of(values.counter(key))
                : Value.sequence(new TreeSet<>(values.elements(key))
                        .stream().map(Value::of).toList());
    }

    private static byte[] answer(ClientId client, long reference, Value result, @Nullable Dot dot) {
        Response response = new Response(
                0,
                1,
                client,
                reference,
                result,
                dot,
                Hash.ZERO,
                VersionVector.zero(1),
                Hash.ZERO,
                CertificateNumber.NONE,
                Hash.ZERO);
        return Codec.encode(new Answer(NoSignatures.seal(response), null, null));
    }

    @Override
    public synchronized byte[] snapshot() {
        return values.encode();
    }

    @Override
    public synchronized void restore(byte[] snapshot) {
        values = StoredValues.decode(snapshot);
    }

    /** The state of an {@link OrderedStore}: counters, sets, and which request numbers of each client were executed. */
    private static final class StoredValues {
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
                    ClientId client = ClientId.read(in.readNBytes(ClientId.LENGTH))
                            .orElseThrow(() -> new IOException("no client"));
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
}
