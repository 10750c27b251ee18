package org.aspas.certify.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read again, for random messages of every kind. */
class CodecRoundTripTest {
    private static final int MESSAGES = 300;

    private static <T> T accepted(Decoded<T> decoded, String context) {
        assertInstanceOf(Decoded.Accepted.class, decoded, context);
        return decoded.accepted().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyMessageComesBack(Kind kind) {
        for (long seed = 0; seed < MESSAGES; seed++) {
            String context = kind + " of seed " + seed;
            Message message = new MessageGenerator(seed).message(kind);
            assertEquals(kind.type(), message.getClass(), context);
            byte[] bytes = Codec.encode(message);
            Message read = accepted(Codec.decode(bytes, kind.type()), context);
            assertArrayEquals(bytes, Codec.encode(read), context);
            if (kind != Kind.BATCH && kind != Kind.CERTIFIED_ENTRIES) {
                assertEquals(message, read, context); // a batch holds arrays, which are equal by identity only
            }
            Frame frame = accepted(Codec.decode(bytes), context);
            assertArrayEquals(bytes, Codec.encode(frame), context);
            assertEquals(kind != Kind.TAGGED_REQUEST, frame instanceof Frame.Plain, context);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void signedMessagesComeBackAndOthersCannotBeSigned(Kind kind) {
        for (long seed = 0; seed < MESSAGES; seed++) {
            String context = kind + " of seed " + seed;
            MessageGenerator generator = new MessageGenerator(seed);
            Signed<Message> signed = generator.signed(generator.message(kind));
            byte[] bytes = Codec.encode(signed);
            if (kind.domain().isEmpty()) {
                assertInstanceOf(Decoded.Rejected.class, Codec.decode(bytes), context);
                assertInstanceOf(Decoded.Rejected.class, Codec.decodeSigned(bytes, kind.type()), context);
                assertThrows(IllegalArgumentException.class, () -> Sealer.domainOf(signed.message()), context);
            } else {
                assertEquals(signed, accepted(Codec.decodeSigned(bytes, kind.type()), context), context);
                assertEquals(new Frame.Sealed(signed), accepted(Codec.decode(bytes), context), context);
            }
        }
    }

    @Test
    void valuesComeBack() {
        for (long seed = 0; seed < 20 * MESSAGES; seed++) {
            Value value = new MessageGenerator(seed).value();
            assertEquals(value, accepted(Codec.decodeValue(Codec.encodeValue(value)), "seed " + seed));
        }
    }

    @Test
    void valuesNestToTheBoundAndNoFurther() {
        Value value = Value.of(1);
        for (int depth = 0; depth < CborReader.MAX_DEPTH; depth++) {
            value = Value.sequence(List.of(value));
        }
        assertEquals(value, accepted(Codec.decodeValue(Codec.encodeValue(value)), "at the bound"));
        byte[] deeper = Codec.encodeValue(Value.sequence(List.of(value)));
        assertInstanceOf(Decoded.Rejected.class, Codec.decodeValue(deeper));
    }

    @Test
    void aMessageOfAnotherKindIsRejected() {
        byte[] bytes = Codec.encode(new GetCertificate(new CertificateNumber(7)));
        assertInstanceOf(Decoded.Rejected.class, Codec.decode(bytes, Read.class));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 23, 24, 28, 29, 85, 86, 255, 256, 1300, 4000, 5461, 21845, 65535, 65536, 200_000})
    void textsAndByteStringsHaveTheShortestLength(int length) {
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 'x');
        assertArrayEquals(item(0x60, content), Codec.encodeValue(Value.of("x".repeat(length))));
        assertArrayEquals(item(0x40, content), Codec.encodeValue(Value.of(content)));
    }

    private static byte[] item(int major, byte[] content) {
        String length = content.length < 24
                ? String.format("%02x", major + content.length)
                : content.length < 0x100
                        ? String.format("%02x%02x", major + 24, content.length)
                        : content.length < 0x10000
                                ? String.format("%02x%04x", major + 25, content.length)
                                : String.format("%02x%08x", major + 26, content.length);
        return HexFormat.of().parseHex(length + HexFormat.of().formatHex(content));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "23, 17",
        "24, 1818",
        "255, 18ff",
        "256, 190100",
        "65535, 19ffff",
        "65536, 1a00010000",
        "4294967295, 1affffffff",
        "4294967296, 1b0000000100000000",
        "9223372036854775807, 1b7fffffffffffffff",
        "-1, 20",
        "-24, 37",
        "-25, 3818",
        "-9223372036854775808, 3b7fffffffffffffff"
    })
    void integersHaveTheShortestForm(long number, String hex) {
        assertEquals(hex, HexFormat.of().formatHex(Codec.encodeValue(Value.of(number))));
    }

    @Test
    void aKeyWithAnUnpairedSurrogateHasNoEncoding() {
        Read read = new Read(1, "\ud800", "pn-counter", false, CertificateNumber.NONE);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Codec.encode(read));
        assertTrue(String.valueOf(refused.getMessage()).contains("surrogate"));
    }
}
