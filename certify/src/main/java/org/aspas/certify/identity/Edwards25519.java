package org.aspas.certify.identity;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.bouncycastle.math.ec.rfc7748.X25519Field;

/**
 * Points of the curve -x² + y² = 1 + dx²y² over the field of 2^255 - 19 (RFC 8032 §5.1) in extended coordinates: x = X/Z,
 * y = Y/Z, xy = T/Z. The formulas are those of Hisil, Wong, Carter and Dawson ("Twisted Edwards Curves Revisited", 2008)
 * for a = -1. They have no exceptional cases, because -1 is a square in this field and d is none. The field is Bouncy
 * Castle's. Times depend on the values: for public ones only. A point that is shared is not changed any more.
 */
final class Edwards25519 {
    private static final int[] D = constant("a3785913ca4deb75abd841414d0a700098e879777940c78c73fe6f2bee6c0352");

    /** The base point B. */
    static final Edwards25519 BASE = decode(
                    HexFormat.of().parseHex("5866666666666666666666666666666666666666666666666666666666666666"))
            .orElseThrow();

    private final int[] x = X25519Field.create();
    private final int[] y = X25519Field.create();
    private final int[] z = X25519Field.create();
    private final int[] t = X25519Field.create();

    // Room for what each operation computes on its way.
    private final int[] e = X25519Field.create();
    private final int[] f = X25519Field.create();
    private final int[] g = X25519Field.create();
    private final int[] h = X25519Field.create();

    /** The neutral element. */
    Edwards25519() {
        X25519Field.one(y);
        X25519Field.one(z);
    }

    /** What an addition needs of its second point: Y - X, Y + X, 2Z and 2dT. */
    static final class Addend {
        private final int[] difference = X25519Field.create();
        private final int[] sum = X25519Field.create();
        private final int[] doubleZ = X25519Field.create();
        private final int[] doubleDt = X25519Field.create();
    }

    private static int[] constant(String littleEndian) {
        int[] element = X25519Field.create();
        X25519Field.decode255(HexFormat.of().parseHex(littleEndian), element);
        return element;
    }

    /** The point of an encoding (RFC 8032 §5.1.3). Whether the encoding is canonical is not asked here. */
    static Optional<Edwards25519> decode(byte[] raw) {
        Edwards25519 point = new Edwards25519();
        X25519Field.decode255(raw, point.y);
        int[] numerator = X25519Field.create();
        int[] denominator = X25519Field.create();
        X25519Field.sqr(point.y, numerator);
        X25519Field.mul(D, numerator, denominator);
        X25519Field.subOne(numerator);
        X25519Field.addOne(denominator);
        if (!X25519Field.sqrtRatioVar(numerator, denominator, point.x)) {
            return Optional.empty();
        }
        X25519Field.normalize(point.x);
        if ((point.x[0] & 1) != (raw[raw.length - 1] >>> 7 & 1)) {
            X25519Field.negate(point.x, point.x);
            X25519Field.carry(point.x);
        }
        X25519Field.mul(point.x, point.y, point.t);
        return Optional.of(point);
    }

    Edwards25519 copy() {
        Edwards25519 copy = new Edwards25519();
        X25519Field.copy(x, 0, copy.x, 0);
        X25519Field.copy(y, 0, copy.y, 0);
        X25519Field.copy(z, 0, copy.z, 0);
        X25519Field.copy(t, 0, copy.t, 0);
        return copy;
    }

    Edwards25519 negated() {
        Edwards25519 negated = copy();
        X25519Field.negate(negated.x, negated.x);
        X25519Field.carry(negated.x);
        X25519Field.negate(negated.t, negated.t);
        X25519Field.carry(negated.t);
        return negated;
    }

    Addend addend() {
        Addend made = new Addend();
        X25519Field.apm(y, x, made.sum, made.difference);
        X25519Field.carry(made.sum);
        X25519Field.carry(made.difference);
        X25519Field.add(z, z, made.doubleZ);
        X25519Field.carry(made.doubleZ);
        X25519Field.mul(t, D, made.doubleDt);
        X25519Field.add(made.doubleDt, made.doubleDt, made.doubleDt);
        X25519Field.carry(made.doubleDt);
        return made;
    }

    /** This becomes this and the other. */
    void add(Addend other) {
        X25519Field.apm(y, x, f, e);
        X25519Field.mul(e, other.difference, e);
        X25519Field.mul(f, other.sum, f);
        X25519Field.apm(f, e, h, e);
        X25519Field.mul(t, other.doubleDt, f);
        X25519Field.mul(z, other.doubleZ, g);
        X25519Field.apm(g, f, g, f);
        finish();
        X25519Field.mul(e, h, t);
    }

    /** This becomes this without the other. */
    void subtract(Addend other) {
        X25519Field.apm(y, x, f, e);
        X25519Field.mul(e, other.sum, e);
        X25519Field.mul(f, other.difference, f);
        X25519Field.apm(f, e, h, e);
        X25519Field.mul(t, other.doubleDt, f);
        X25519Field.mul(z, other.doubleZ, g);
        X25519Field.apm(g, f, f, g);
        finish();
        X25519Field.mul(e, h, t);
    }

    /**
     * This becomes twice this.
     *
     * @param added whether something is added next: doubling does not need T
     */
    void twice(boolean added) {
        X25519Field.add(x, y, e);
        X25519Field.sqr(e, e);
        X25519Field.sqr(x, f);
        X25519Field.sqr(y, g);
        X25519Field.apm(f, g, h, g);
        X25519Field.sub(h, e, e);
        X25519Field.carry(e);
        X25519Field.sqr(z, f);
        X25519Field.add(f, f, f);
        X25519Field.add(f, g, f);
        X25519Field.carry(f);
        // E, F, G and H have the other sign than in the paper; only products of two of them are used.
        finish();
        if (added) {
            X25519Field.mul(e, h, t);
        }
    }

    private void finish() {
        X25519Field.mul(e, f, x);
        X25519Field.mul(g, h, y);
        X25519Field.mul(f, g, z);
    }

    /** Whether these bytes, from the first on, are the canonical encoding of this point. */
    boolean isEncodedBy(byte[] bytes) {
        int[] inverse = X25519Field.create();
        X25519Field.invVar(z, inverse);
        X25519Field.mul(x, inverse, e);
        X25519Field.mul(y, inverse, f);
        X25519Field.normalize(e);
        X25519Field.normalize(f);
        byte[] encoded = new byte[PublicKey.LENGTH];
        X25519Field.encode(f, encoded);
        encoded[PublicKey.LENGTH - 1] |= (byte) ((e[0] & 1) << 7);
        return Arrays.equals(encoded, 0, PublicKey.LENGTH, bytes, 0, PublicKey.LENGTH);
    }
}
