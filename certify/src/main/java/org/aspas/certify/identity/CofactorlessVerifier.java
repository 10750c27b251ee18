package org.aspas.certify.identity;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.aspas.certify.identity.Edwards25519.Addend;

/**
 * Verifies under one key as the rule says, word for word: it computes [S]B - [k]A and compares the encoding with R. S and
 * k are cut into two halves of 127 bits, and multiples of B, [2^127]B, -A and -[2^127]A are kept, so that all four sums
 * share 127 doublings (Straus, with signed windows). Immutable.
 */
final class CofactorlessVerifier implements Ed25519Provider.KeyVerifier {
    private static final int HALF_BITS = 127;
    private static final int KEY_WINDOW = 5;
    private static final int BASE_WINDOW = 7;
    private static final BigInteger ORDER =
            BigInteger.ONE.shiftLeft(252).add(new BigInteger("27742317777372353535851937790883648493"));
    private static final Addend[][] BASE_MULTIPLES = multiples(Edwards25519.BASE, BASE_WINDOW);

    private final byte[] key;
    private final Addend[][] keyMultiples;

    private CofactorlessVerifier(byte[] key, Edwards25519 point) {
        this.key = key;
        this.keyMultiples = multiples(point.negated(), KEY_WINDOW);
    }

    /** A verifier under a key; empty when these bytes are no point. */
    static Optional<Ed25519Provider.KeyVerifier> of(PublicKey key) {
        byte[] raw = key.toBytes();
        return Edwards25519.decode(raw).map(point -> new CofactorlessVerifier(raw, point));
    }

    @Override
    public boolean verify(byte[] text, byte[] signature) {
        BigInteger s = littleEndian(signature, PublicKey.LENGTH, signature.length);
        BigInteger k = hash(signature, text).mod(ORDER);
        byte[][] digits = {
            SignedWindows.low(s, HALF_BITS, BASE_WINDOW), SignedWindows.high(s, HALF_BITS, BASE_WINDOW),
            SignedWindows.low(k, HALF_BITS, KEY_WINDOW), SignedWindows.high(k, HALF_BITS, KEY_WINDOW)
        };
        Addend[][] addends = {BASE_MULTIPLES[0], BASE_MULTIPLES[1], keyMultiples[0], keyMultiples[1]};
        return sum(digits, addends).isEncodedBy(signature);
    }

    private static Edwards25519 sum(byte[][] digits, Addend[][] addends) {
        Edwards25519 sum = new Edwards25519();
        for (int bit = HALF_BITS; bit >= 0; bit--) {
            boolean added = (digits[0][bit] | digits[1][bit] | digits[2][bit] | digits[3][bit]) != 0;
            sum.twice(added);
            for (int i = 0; i < digits.length && added; i++) {
                int digit = digits[i][bit];
                if (digit > 0) {
                    sum.add(addends[i][digit >> 1]);
                } else if (digit < 0) {
                    sum.subtract(addends[i][-digit >> 1]);
                }
            }
        }
        return sum;
    }

    /** 1, 3, 5, … times the point, and as many times [2^127] of it. */
    private static Addend[][] multiples(Edwards25519 point, int window) {
        Edwards25519 high = point.copy();
        for (int i = 0; i < HALF_BITS; i++) {
            high.twice(i == HALF_BITS - 1);
        }
        return new Addend[][] {oddMultiples(point, window), oddMultiples(high, window)};
    }

    private static Addend[] oddMultiples(Edwards25519 point, int window) {
        Edwards25519 twice = point.copy();
        twice.twice(true);
        Addend step = twice.addend();
        Edwards25519 multiple = point.copy();
        Addend[] odd = new Addend[1 << (window - 2)];
        for (int i = 0; i < odd.length; i++) {
            odd[i] = multiple.addend();
            multiple.add(step);
        }
        return odd;
    }

    private BigInteger hash(byte[] signature, byte[] text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-512");
            digest.update(signature, 0, PublicKey.LENGTH);
            digest.update(key);
            digest.update(text);
            byte[] hash = digest.digest();
            return littleEndian(hash, 0, hash.length);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-512", impossible);
        }
    }

    private static BigInteger littleEndian(byte[] bytes, int from, int to) {
        byte[] reversed = new byte[to - from];
        for (int i = 0; i < reversed.length; i++) {
            reversed[i] = bytes[to - 1 - i];
        }
        return new BigInteger(1, reversed);
    }
}
