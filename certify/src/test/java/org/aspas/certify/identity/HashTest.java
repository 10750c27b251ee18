package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HashTest {
    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void partsAreHashedAsOneString() {
        String expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assertEquals(expected, Hash.sha256(ascii("abc")).toString());
        assertEquals(expected, Hash.sha256(ascii("a"), ascii(""), ascii("bc")).toString());
        byte[] first = Hash.sha256(ascii("a")).toBytes();
        byte[] second = Hash.sha256(ascii("b")).toBytes();
        assertEquals(
                Hash.sha256(new byte[] {5}, first, second), Hash.sha256((byte) 5, Hash.of(first), Hash.of(second)));
    }

    @Test
    void onlyThirtyTwoBytesAreAHash() {
        for (int length : new int[] {0, 31, 33}) {
            assertEquals(Optional.empty(), Hash.read(new byte[length]));
            assertThrows(IllegalArgumentException.class, () -> Hash.of(new byte[length]));
        }
        assertEquals(Optional.of(Hash.ZERO), Hash.read(new byte[32]));
    }

    @Test
    void bytesAreCopiedInAndOut() {
        byte[] bytes = new byte[32];
        Hash hash = Hash.of(bytes);
        bytes[0] = 1;
        hash.toBytes()[1] = 1;
        assertEquals(Hash.ZERO, hash);
        assertNotEquals(Hash.of(bytes), hash);
        assertArrayEquals(new byte[32], hash.toBytes());
    }

    @Test
    void orderIsUnsignedAndBitsCountFromTheFirst() {
        byte[] high = new byte[32];
        high[0] = (byte) 0x80;
        byte[] low = new byte[32];
        low[0] = 0x7f;
        low[31] = 1;
        assertTrue(Hash.of(high).compareTo(Hash.of(low)) > 0);
        assertTrue(Hash.of(high).bit(0) && !Hash.of(low).bit(0));
        assertTrue(Hash.of(low).bit(255) && !Hash.of(low).bit(254));
    }
}
