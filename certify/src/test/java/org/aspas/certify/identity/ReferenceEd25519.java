package org.aspas.certify.identity;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The curve and the rule, written down from RFC 8032 §5.1 with big integers: slow, and independent of every library. It
 * also makes what no honest signer makes.
 */
final class ReferenceEd25519 {
    static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    static final BigInteger L = BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
    private static final BigInteger D = BigInteger.valueOf(-121665)
            .multiply(BigInteger.valueOf(121666).modInverse(P))
            .mod(P);
    private static final BigInteger ROOT_OF_MINUS_1 =
            BigInteger.TWO.modPow(P.subtract(BigInteger.ONE).shiftRight(2), P);

    /** The neutral element. */
    static final Point NEUTRAL = new Point(BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE);

    /** The base point. */
    static final Point BASE = decode(encodeY(
                    BigInteger.valueOf(4)
                            .multiply(BigInteger.valueOf(5).modInverse(P))
                            .mod(P),
                    false))
            .orElseThrow();

    private ReferenceEd25519() {}

    /** A point in projective coordinates. */
    record Point(BigInteger x, BigInteger y, BigInteger z) {
        /** The complete addition law of the twisted Edwards curve -x² + y² = 1 + dx²y². */
        Point plus(Point other) {
            BigInteger a = z.multiply(other.z).mod(P);
            BigInteger b = a.multiply(a).mod(P);
            BigInteger c = x.multiply(other.x).mod(P);
            BigInteger d = y.multiply(other.y).mod(P);
            BigInteger e = D.multiply(c).multiply(d).mod(P);
            BigInteger f = b.subtract(e);
            BigInteger g = b.add(e);
            BigInteger cross =
                    x.add(y).multiply(other.x.add(other.y)).subtract(c).subtract(d);
            return new Point(
                    a.multiply(f).multiply(cross).mod(P),
                    a.multiply(g).multiply(d.add(c)).mod(P),
                    f.multiply(g).mod(P));
        }

        Point negated() {
            return new Point(P.subtract(x).mod(P), y, z);
        }

        Point times(BigInteger factor) {
            Point sum = NEUTRAL;
            for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
                sum = sum.plus(sum);
                sum = factor.testBit(bit) ? sum.plus(this) : sum;
            }
            return sum;
        }

        byte[] encoded() {
            BigInteger inverse = z.modInverse(P);
            return encodeY(
                    y.multiply(inverse).mod(P), x.multiply(inverse).mod(P).testBit(0));
        }

        boolean isNeutral() {
            return x.signum() == 0 && y.equals(z);
        }
    }

    /** The encoding of any y below 2^255, canonical or not, with a sign. */
    static byte[] encodeY(BigInteger y, boolean odd) {
        byte[] raw = littleEndian(y);
        raw[31] |= (byte) (odd ? 0x80 : 0);
        return raw;
    }

    static byte[] littleEndian(BigInteger number) {
        byte[] big = number.toByteArray();
        byte[] little = new byte[32];
        for (int i = 0; i < Math.min(32, big.length); i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }

    static BigInteger number(byte[] little) {
        byte[] big = new byte[little.length];
        for (int i = 0; i < big.length; i++) {
            big[i] = little[big.length - 1 - i];
        }
        return new BigInteger(1, big);
    }

    /** RFC 8032 §5.1.3; only the canonical encoding of a point. */
    static Optional<Point> decode(byte[] raw) {
        boolean odd = raw[31] < 0;
        byte[] low = raw.clone();
        low[31] &= 0x7f;
        BigInteger y = number(low);
        if (y.compareTo(P) >= 0) {
            return Optional.empty();
        }
        BigInteger ySquare = y.multiply(y).mod(P);
        BigInteger square = ySquare.subtract(BigInteger.ONE)
                .multiply(D.multiply(ySquare).add(BigInteger.ONE).modInverse(P))
                .mod(P);
        BigInteger x = square.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
        if (!x.multiply(x).mod(P).equals(square)) {
            x = x.multiply(ROOT_OF_MINUS_1).mod(P);
        }
        if (!x.multiply(x).mod(P).equals(square) || (x.signum() == 0 && odd)) {
            return Optional.empty();
        }
        return Optional.of(new Point(x.testBit(0) == odd ? x : P.subtract(x), y, BigInteger.ONE));
    }

    static BigInteger hash(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-512");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return number(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-512", impossible);
        }
    }

    /** The rule of {@link Ed25519}, word for word. */
    static boolean verify(byte[] key, byte[] text, byte[] signature) {
        byte[] r = Arrays.copyOf(signature, 32);
        BigInteger s = number(Arrays.copyOfRange(signature, 32, 64));
        Optional<Point> a = decode(key);
        if (s.compareTo(L) >= 0
                || a.isEmpty()
                || a.get().isNeutral()
                || !a.get().times(L).isNeutral()
                || Arrays.equals(r, NEUTRAL.encoded())) {
            return false;
        }
        BigInteger k = hash(r, key, text).mod(L);
        return Arrays.equals(r, BASE.times(s).plus(a.get().times(k).negated()).encoded());
    }
}
