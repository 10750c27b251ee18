package org.aspas.certify.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/**
 * The codec's own CBOR against Jackson's: values have the same bytes, and a text is a value if Jackson reads one from it
 * and writes the same text for it. Seeds are fixed; a failure names its seed.
 */
class CborOracleTest {
    private static final CBORFactory JACKSON = CBORFactory.builder().build();
    private static final int VALUES = 20_000;

    private static byte[] encode(Value value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CBORGenerator generator = JACKSON.createGenerator(bytes)) {
            write(value, generator);
        }
        return bytes.toByteArray();
    }

    private static void write(Value value, CBORGenerator generator) throws IOException {
        if (value instanceof Value.Int number) {
            generator.writeNumber(number.value());
        } else if (value instanceof Value.Text text) {
            byte[] utf8 = text.value().getBytes(StandardCharsets.UTF_8);
            generator.writeUTF8String(utf8, 0, utf8.length);
        } else if (value instanceof Value.Blob blob) {
            generator.writeBinary(blob.toBytes());
        } else {
            List<Value> items = ((Value.Sequence) value).items();
            generator.writeStartArray(null, items.size());
            for (Value item : items) {
                write(item, generator);
            }
            generator.writeEndArray();
        }
    }

    /** What Jackson reads, if it writes the same bytes for it. */
    private static Optional<Value> decode(byte[] bytes) {
        try (CBORParser parser = JACKSON.createParser(bytes)) {
            parser.nextToken();
            Value value = read(parser, 0);
            boolean all = parser.nextToken() == null;
            return all && Arrays.equals(encode(value), bytes) ? Optional.of(value) : Optional.empty();
        } catch (IOException | RuntimeException malformed) {
            return Optional.empty();
        }
    }

    private static Value read(CBORParser parser, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        if (depth > CborReader.MAX_DEPTH || token == null) {
            throw new IllegalArgumentException("no value");
        }
        return switch (token) {
            case VALUE_NUMBER_INT -> Value.of(parser.getLongValue());
            case VALUE_STRING -> Value.of(parser.getText());
            case VALUE_EMBEDDED_OBJECT -> Value.of(parser.getBinaryValue());
            case START_ARRAY -> {
                List<Value> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(read(parser, depth + 1));
                }
                yield Value.sequence(items);
            }
            default -> throw new IllegalArgumentException("no value");
        };
    }

    @Test
    void valuesHaveTheSameBytes() throws IOException {
        for (long seed = 0; seed < VALUES; seed++) {
            Value value = new MessageGenerator(seed).value();
            assertArrayEquals(encode(value), Codec.encodeValue(value), "seed " + seed);
        }
    }

    @Test
    void numbersAndLengthsAtTheirLimitsHaveTheSameBytes() throws IOException {
        List<Value> values = new ArrayList<>();
        for (int bits = 0; bits < Long.SIZE; bits++) {
            for (long near = -2; near <= 2; near++) {
                values.add(Value.of((1L << bits) + near));
                values.add(Value.of(-(1L << bits) + near));
            }
        }
        for (int length : new int[] {0, 1, 23, 24, 25, 255, 256, 257, 65_535, 65_536, 65_537}) {
            values.add(Value.of(new byte[length]));
            values.add(Value.of("x".repeat(length)));
            values.add(Value.of("é".repeat(length)));
            values.add(Value.sequence(List.copyOf(java.util.Collections.nCopies(length, Value.of(7)))));
        }
        for (Value value : values) {
            byte[] bytes = Codec.encodeValue(value);
            assertArrayEquals(encode(value), bytes);
            assertEquals(Optional.of(value), Codec.decodeValue(bytes).accepted());
        }
    }

    @Test
    void damagedTextsMeanTheSame() {
        int accepted = 0;
        for (long seed = 0; seed < 5 * VALUES; seed++) {
            byte[] damaged = new Mutator(seed).damage(Codec.encodeValue(new MessageGenerator(seed).value()));
            Optional<Value> expected = decode(damaged);
            accepted += expected.isPresent() ? 1 : 0;
            assertEquals(
                    expected,
                    Codec.decodeValue(damaged).accepted(),
                    () -> "of " + HexFormat.of().formatHex(damaged));
        }
        assertEquals(true, accepted > VALUES / 10, accepted + " were values");
    }

    /** Every first byte, followed by every kind of rest that could complete it. */
    @Test
    void shortTextsMeanTheSame() {
        Random random = new Random(3);
        for (int first = 0; first < 256; first++) {
            for (int i = 0; i < 2_000; i++) {
                byte[] text = new byte[1 + random.nextInt(12)];
                random.nextBytes(text);
                for (int at = 1; at < text.length; at++) {
                    text[at] = random.nextInt(3) == 0 ? (byte) random.nextInt(26) : text[at];
                }
                text[0] = (byte) first;
                assertEquals(
                        decode(text),
                        Codec.decodeValue(text).accepted(),
                        () -> "of " + HexFormat.of().formatHex(text));
            }
        }
    }
}
