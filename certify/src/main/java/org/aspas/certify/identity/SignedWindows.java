package org.aspas.certify.identity;

import java.math.BigInteger;

/**
 * Half of a number as a sum of odd digits times powers of two, few of which are not 0 (the non-adjacent form with windows).
 * The digit at i counts 2^i times; with windows of w bits it is 0 or odd, and from -2^(w-1) to 2^(w-1).
 */
final class SignedWindows {
    private SignedWindows() {}

    /** The digits of the number modulo 2^bits; there are bits + 1, at most 128. */
    static byte[] low(BigInteger number, int bits, int window) {
        long low = number.longValue();
        long high = number.shiftRight(Long.SIZE).longValue() & (1L << (bits - Long.SIZE)) - 1;
        return digits(low, high, bits, window);
    }

    /** The digits of the number shifted right by so many bits, of which not more must be left. */
    static byte[] high(BigInteger number, int bits, int window) {
        BigInteger rest = number.shiftRight(bits);
        return digits(rest.longValue(), rest.shiftRight(Long.SIZE).longValue(), bits, window);
    }

    private static byte[] digits(long lowBits, long highBits, int bits, int window) {
        byte[] digits = new byte[bits + 1];
        long low = lowBits;
        long high = highBits;
        int mask = (1 << window) - 1;
        for (int i = 0; (low | high) != 0; i++) {
            if ((low & 1) != 0) {
                int digit = (int) low & mask;
                digit = digit > mask >> 1 ? digit - mask - 1 : digit;
                digits[i] = (byte) digit;
                long rest = low - digit;
                high += digit < 0 && Long.compareUnsigned(rest, low) < 0 ? 1 : 0;
                low = rest;
            }
            low = low >>> 1 | high << (Long.SIZE - 1);
            high >>>= 1;
        }
        return digits;
    }
}
