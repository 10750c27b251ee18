package org.aspas.certify.identity;

import static org.aspas.certify.identity.ReferenceEd25519.BASE;
import static org.aspas.certify.identity.ReferenceEd25519.L;
import static org.aspas.certify.identity.ReferenceEd25519.NEUTRAL;
import static org.aspas.certify.identity.ReferenceEd25519.P;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.aspas.certify.identity.Ed25519SelfTest.Vector;
import org.aspas.certify.identity.ReferenceEd25519.Point;

/** Signatures as only a liar makes them, who holds the private scalar and knows the curve. */
public final class CrookedSignatures {
    private static final HexFormat HEX = HexFormat.of();
    private static final int MOST_TRIES = 10_000;

    private final Random random;
    private final BigInteger a;
    private final Point key;
    private final byte[] text;
    private final List<Vector> made = new ArrayList<>();

    CrookedSignatures(long seed) {
        this.random = new Random(seed);
        this.a = scalar();
        this.key = BASE.times(a);
        this.text = new byte[1 + random.nextInt(20)];
        random.nextBytes(text);
    }

    /**
     * Signs as the holder of a private seed who puts a point of small order into R: cofactored verification accepts it.
     *
     * @param order 2, 4 or 8; 1 makes an honest signature
     */
    public static byte[] sign(byte[] seed, Domain domain, Hash deployment, byte[] payload, int order) {
        byte[] secret = ReferenceEd25519.littleEndian(ReferenceEd25519.hash(seed));
        secret[0] &= (byte) 0xf8;
        secret[31] = (byte) ((secret[31] & 0x7f) | 0x40);
        BigInteger a = ReferenceEd25519.number(secret);
        byte[] text = domain.signedText(deployment, payload);
        BigInteger r = ReferenceEd25519.hash(secret, text).mod(L);
        Point torsion = order == 1 ? NEUTRAL : pointOfOrder8().times(BigInteger.valueOf(8 / order));
        byte[] encoded = BASE.times(r).plus(torsion).encoded();
        byte[] signature = Arrays.copyOf(encoded, Ed25519.SIGNATURE_LENGTH);
        BigInteger s = s(r, a, Ed25519.publicKey(seed).toBytes(), text, encoded);
        System.arraycopy(ReferenceEd25519.littleEndian(s), 0, signature, encoded.length, encoded.length);
        return signature;
    }

    /** One of each sort, honest ones among them. */
    static List<Vector> all(long seed) {
        return new CrookedSignatures(seed).make();
    }

    private List<Vector> make() {
        Point eighth = pointOfOrder8();
        byte[] raw = key.encoded();
        sign("a sound key and an honest R", true, a, raw, NEUTRAL);
        for (int order = 2; order <= 8; order *= 2) {
            Point torsion = eighth.times(BigInteger.valueOf(8 / order));
            sign("a sound key, R with a part of order " + order, false, a, raw, torsion);
        }
        for (int multiple = 0; multiple < 8; multiple++) {
            Point small = eighth.times(BigInteger.valueOf(multiple));
            with("a sound key, R of small order, " + multiple + "/8", a, raw, BigInteger.ZERO, small.encoded());
        }
        encodings("a sound key, R no canonical encoding, ", (name, r) -> with(name, a, raw, BigInteger.ZERO, r));
        outOfRange();
        for (int multiple = 1; multiple < 8; multiple++) {
            Point torsion = eighth.times(BigInteger.valueOf(multiple));
            divisible(
                    "a key with a part of small order, " + multiple + "/8",
                    a,
                    key.plus(torsion).encoded());
        }
        for (int multiple = 0; multiple < 8; multiple++) {
            Point small = eighth.times(BigInteger.valueOf(multiple));
            divisible("a key of small order, " + multiple + "/8", BigInteger.ZERO, small.encoded());
        }
        encodings("a key that is no canonical encoding, ", (name, bytes) -> divisible(name, BigInteger.ZERO, bytes));
        return made;
    }

    private interface Named {
        void take(String name, byte[] bytes);
    }

    /** Every encoding of a point of small order that decoders may take for one, and should not. */
    private static void encodings(String name, Named taker) {
        taker.take(name + "y = p", ReferenceEd25519.encodeY(P, false));
        taker.take(name + "y = p, odd", ReferenceEd25519.encodeY(P, true));
        taker.take(name + "y = p + 1", ReferenceEd25519.encodeY(P.add(BigInteger.ONE), false));
        taker.take(name + "y = p + 1, odd", ReferenceEd25519.encodeY(P.add(BigInteger.ONE), true));
        taker.take(name + "y = 1, odd", ReferenceEd25519.encodeY(BigInteger.ONE, true));
        taker.take(name + "y = p - 1, odd", ReferenceEd25519.encodeY(P.subtract(BigInteger.ONE), true));
    }

    /** R = rB + torsion, S = r + ka: off by the torsion alone. */
    private void sign(String name, boolean valid, BigInteger secret, byte[] raw, Point torsion) {
        BigInteger r = scalar();
        byte[] encoded = BASE.times(r).plus(torsion).encoded();
        add(name, valid, raw, text, encoded, s(r, secret, raw, text, encoded));
    }

    /** The S that fits these bytes of R, if they stand for r times the base point. */
    private void with(String name, BigInteger secret, byte[] raw, BigInteger r, byte[] encoded) {
        add(name, false, raw, text, encoded, s(r, secret, raw, text, encoded));
    }

    private void outOfRange() {
        byte[] raw = key.encoded();
        for (int times = 1; times <= 14; times += times < 2 ? 1 : 6) {
            BigInteger r = scalar();
            byte[] encoded = BASE.times(r).encoded();
            BigInteger s = s(r, a, raw, text, encoded).add(L.multiply(BigInteger.valueOf(times)));
            add("a sound key, S above L by " + times + " L", false, raw, text, encoded, s);
        }
    }

    /** A text is found for which 8 divides k: nothing of a key's small part is then left in [k]A. */
    private void divisible(String name, BigInteger secret, byte[] raw) {
        for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
            byte[] tried = BigInteger.valueOf(1000L + attempt).toByteArray();
            BigInteger r = scalar();
            byte[] encoded = BASE.times(r).encoded();
            BigInteger k = ReferenceEd25519.hash(encoded, raw, tried).mod(L);
            if (k.mod(BigInteger.valueOf(8)).signum() == 0) {
                add(name, false, raw, tried, encoded, s(r, secret, raw, tried, encoded));
                return;
            }
        }
        throw new AssertionError("no text with 8 | k in " + MOST_TRIES + " tries");
    }

    private static BigInteger s(BigInteger r, BigInteger secret, byte[] raw, byte[] text, byte[] encodedR) {
        return ReferenceEd25519.hash(encodedR, raw, text)
                .multiply(secret)
                .add(r)
                .mod(L);
    }

    private void add(String name, boolean valid, byte[] raw, byte[] text, byte[] r, BigInteger s) {
        String signature = HEX.formatHex(r) + HEX.formatHex(ReferenceEd25519.littleEndian(s));
        made.add(new Vector(name, valid, HEX.formatHex(raw), HEX.formatHex(text), signature));
    }

    private BigInteger scalar() {
        return new BigInteger(300, random).mod(L);
    }

    /** [L]Q has small order; of a random point Q it is 8 with one half. */
    static Point pointOfOrder8() {
        for (int y = 2; ; y++) {
            Point small = ReferenceEd25519.decode(ReferenceEd25519.encodeY(BigInteger.valueOf(y), false))
                    .map(point -> point.times(L))
                    .orElse(NEUTRAL);
            if (!small.times(BigInteger.valueOf(4)).isNeutral()) {
                return small;
            }
        }
    }
}
