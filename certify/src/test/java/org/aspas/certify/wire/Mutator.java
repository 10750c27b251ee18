package org.aspas.certify.wire;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/** Damages valid encodings the way a stranger would. One seed always gives the same damage. For one thread. */
final class Mutator {
    private static final String[] BOMBS = {
        "9b7fffffffffffffff", // an array of 2^63-1 items
        "9bffffffffffffffff",
        "9a7fffffff",
        "5b7fffffffffffffff", // a byte string of 2^63-1 bytes
        "5a7fffffff",
        "5a0fffffff",
        "7b7fffffffffffffff", // a text of as many
        "7a7fffffff",
        "bb7fffffffffffffff", // a map
        "9f", // indefinite lengths
        "5f",
        "7f",
        "bf",
        "ff",
        "c2490100000000000000ff", // a big number
        "c34101",
        "d8196000", // a reference to a string
        "d9010080", // a scope for such references
        "d9d9f7", // the tag that says "CBOR"
        "f6",
        "f7",
        "f818",
        "f97e00",
        "fb7ff0000000000000",
        "1bffffffffffffffff",
        "3bffffffffffffffff",
        "63edb080", // a text that holds a surrogate
        "62c080", // a text with an overlong form
        "61ff",
        "1c",
        "e0"
    };

    private final Random random;

    Mutator(long seed) {
        this.random = new Random(seed);
    }

    /** One to three damages. */
    byte[] damage(byte[] valid) {
        byte[] bytes = valid;
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            bytes = once(bytes);
        }
        return bytes;
    }

    private byte[] once(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        return switch (random.nextInt(9)) {
            case 0 -> flipped(bytes);
            case 1 -> Arrays.copyOf(bytes, at);
            case 2 -> splice(bytes, at, 0, randomBytes(1 + random.nextInt(4)));
            case 3 -> splice(bytes, at, 0, bomb());
            case 4 -> splice(bytes, at, Math.min(1, bytes.length - at), bomb());
            case 5 -> splice(bytes, at, Math.min(random.nextInt(5), bytes.length - at), new byte[0]);
            case 6 -> splice(bytes, at, 0, nesting());
            case 7 -> longer(bytes, at);
            default -> splice(bytes, at, 0, Arrays.copyOfRange(bytes, at / 2, at));
        };
    }

    byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] flipped(byte[] bytes) {
        byte[] copy = bytes.clone();
        if (copy.length > 0) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    private byte[] bomb() {
        return HexFormat.of().parseHex(BOMBS[random.nextInt(BOMBS.length)]);
    }

    private byte[] nesting() {
        byte[] nested = new byte[random.nextInt(30) == 0 ? 5000 : random.nextInt(20)];
        Arrays.fill(nested, (byte) (random.nextBoolean() ? 0x81 : 0x9f));
        return nested;
    }

    /** Where an item's first byte holds its number, the same number in a longer form. */
    private byte[] longer(byte[] bytes, int at) {
        if (at == bytes.length || (bytes[at] & 0x1f) > 23) {
            return flipped(bytes);
        }
        byte major = (byte) (bytes[at] & 0xe0);
        byte number = (byte) (bytes[at] & 0x1f);
        return splice(
                bytes,
                at,
                1,
                random.nextBoolean()
                        ? new byte[] {(byte) (major | 24), number}
                        : new byte[] {(byte) (major | 25), 0, number});
    }

    private static byte[] splice(byte[] bytes, int at, int removed, byte[] added) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        out.writeBytes(added);
        out.write(bytes, at + removed, bytes.length - at - removed);
        return out.toByteArray();
    }
}
