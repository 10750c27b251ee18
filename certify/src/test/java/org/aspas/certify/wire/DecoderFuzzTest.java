package org.aspas.certify.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every decoder is total: any bytes give a meaning or a reason, nothing else, and a meaning has no other bytes. The
 * seeds are fixed; a failure names its seed and its input.
 */
@Timeout(120)
class DecoderFuzzTest {
    private static final int DAMAGED_PER_KIND = 5_000;
    private static final int RANDOM_INPUTS = 50_000;
    private static final int VALUES = 20_000;

    /** Gives one input to every decoder that could take it. */
    private static void feed(byte[] input, Kind kind, String context) {
        try {
            Codec.decode(input).accepted().ifPresent(frame -> assertArrayEquals(input, Codec.encode(frame), context));
            Codec.decode(input, kind.type())
                    .accepted()
                    .ifPresent(message -> assertArrayEquals(input, Codec.encode(message), context));
            Codec.decodeSigned(input, kind.type())
                    .accepted()
                    .ifPresent(signed -> assertArrayEquals(input, Codec.encode(signed), context));
            Codec.decodeValue(input)
                    .accepted()
                    .ifPresent(value -> assertArrayEquals(input, Codec.encodeValue(value), context));
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError thrown) {
            int shown = Math.min(input.length, 2000);
            fail(context + " threw on " + HexFormat.of().formatHex(input, 0, shown), thrown);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void damagedEncodings(Kind kind) {
        for (long seed = 0; seed < DAMAGED_PER_KIND; seed++) {
            MessageGenerator generator = new MessageGenerator(seed);
            Message message = generator.message(kind);
            byte[] valid = seed % 3 == 0 ? Codec.encode(generator.signed(message)) : Codec.encode(message);
            feed(new Mutator(seed).damage(valid), kind, kind + " damaged with seed " + seed);
        }
    }

    /** The damage is inside the signed bytes, so that the outer text stays well formed. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void damagedPayloads(Kind kind) {
        for (long seed = 0; seed < DAMAGED_PER_KIND / 5; seed++) {
            MessageGenerator generator = new MessageGenerator(seed);
            Message message = generator.message(kind);
            byte[] payload = new Mutator(seed).damage(Codec.encode(message));
            byte[] outer = Codec.encode(new Signed<>(message, payload, generator.bytes(64)));
            feed(outer, kind, kind + " with its payload damaged with seed " + seed);
        }
    }

    @Test
    void randomBytes() {
        Mutator mutator = new Mutator(1);
        Random random = new Random(2);
        Kind[] kinds = Kind.values();
        for (int i = 0; i < RANDOM_INPUTS; i++) {
            byte[] input = mutator.randomBytes(random.nextInt(random.nextInt(20) == 0 ? 2000 : 40));
            Kind kind = kinds[random.nextInt(kinds.length)];
            if (input.length > 2 && random.nextBoolean()) {
                input[0] = (byte) (0x80 | random.nextInt(12));
                input[1] = (byte) kind.number();
            }
            feed(input, kind, "random input " + i);
        }
    }

    @Test
    void damagedValues() {
        for (long seed = 0; seed < VALUES; seed++) {
            byte[] valid = Codec.encodeValue(new MessageGenerator(seed).value());
            feed(new Mutator(seed).damage(valid), Kind.READ, "value damaged with seed " + seed);
        }
    }

    /** Signed messages as payloads of signed messages, 80 bytes a level: a recursive decoder would overflow here. */
    @Test
    void signedMessagesNestedWithoutEnd() {
        byte[] inner = {0x04};
        for (int level = 0; level < 2_000; level++) {
            byte[] array = concatenate(HexFormat.of().parseHex("840482"), byteString(inner));
            inner = concatenate(concatenate(array, byteString(new byte[64])), new byte[] {(byte) 0xf6, (byte) 0xf6});
        }
        assertInstanceOf(Decoded.Rejected.class, Codec.decode(inner));
        assertInstanceOf(Decoded.Rejected.class, Codec.decode(inner, Answer.class));
    }

    @Test
    void arraysNestedWithoutEnd() {
        byte[] deep = new byte[1 << 20];
        for (int head : new int[] {0x81, 0x9f, 0x82}) {
            Arrays.fill(deep, (byte) head);
            for (Kind kind : Kind.values()) {
                feed(deep, kind, "1 MiB of " + head);
                byte[] begun = deep.clone();
                begun[1] = (byte) kind.number();
                feed(begun, kind, kind + ", then 1 MiB of " + head);
            }
        }
    }

    @Test
    void oneMebibyteOfEmptyItemsIsRead() {
        byte[] wide = new byte[1 << 20];
        Arrays.fill(wide, (byte) 0x80);
        byte[] value = concatenate(HexFormat.of().parseHex("9a00100000"), wide);
        Value read = Codec.decodeValue(value).accepted().orElseThrow();
        assertEquals(1 << 20, ((Value.Sequence) read).items().size());
    }

    @Test
    void statesOfDataTypes() {
        for (long seed = 0; seed < VALUES; seed++) {
            MessageGenerator generator = new MessageGenerator(seed);
            Random random = new Random(seed);
            Value value = seed % 2 == 0 ? generator.value() : StateLikeValues.of(random);
            for (DataType type : DataTypes.all()) {
                String context = type.name() + " of seed " + seed + ": " + value;
                Value again = type.decode(value).map(Crdt::state).orElse(value);
                assertEquals(value, again, context);
            }
        }
    }

    @Test
    void proofsOfNothing() {
        for (long seed = 0; seed < VALUES; seed++) {
            MessageGenerator generator = new MessageGenerator(seed);
            Hash root = generator.hash();
            assertFalse(generator.inclusionProof().verifies(generator.hash(), root), "inclusion, seed " + seed);
            var proof = generator.stateProof();
            assertFalse(proof.provesPresence(root, generator.hash(), generator.hash()), "presence, seed " + seed);
            boolean emptyTree = root.equals(Hash.ZERO) && proof.siblings().isEmpty() && proof.terminal() == null;
            assertEquals(emptyTree, proof.provesAbsence(root, Hash.sha256()), "absence, seed " + seed);
        }
    }

    @Test
    void noInputAtAll() {
        for (Kind kind : Kind.values()) {
            feed(new byte[0], kind, "no input");
            assertTrue(Codec.decode(new byte[0], kind.type()).accepted().isEmpty());
        }
    }

    private static byte[] byteString(byte[] content) {
        return Codec.encodeValue(Value.of(content));
    }

    private static byte[] concatenate(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
