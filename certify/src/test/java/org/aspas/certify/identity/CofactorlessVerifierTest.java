package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.aspas.certify.identity.Ed25519SelfTest.Vector;
import org.aspas.certify.identity.ReferenceEd25519.Point;
import org.junit.jupiter.api.Test;

/** Our own arithmetic over Bouncy Castle's field, against big integers: also where formulas of lesser curves fail. */
class CofactorlessVerifierTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final BigInteger HALF = BigInteger.ONE.shiftLeft(127);

    private static Stream<BigInteger> scalars(Random random) {
        Stream<BigInteger> edges = Stream.of(0, 1, 2, 3, 8, 126, 127, 128, 251, 252)
                .map(BigInteger.ONE::shiftLeft)
                .flatMap(power -> Stream.of(power.subtract(BigInteger.ONE), power, power.add(BigInteger.ONE)));
        Stream<BigInteger> last = Stream.of(
                ReferenceEd25519.L.subtract(BigInteger.ONE), HALF.negate().mod(ReferenceEd25519.L));
        return Stream.of(
                        edges,
                        last,
                        Stream.generate(() -> new BigInteger(300, random)).limit(300))
                .flatMap(all -> all)
                .map(scalar -> scalar.mod(ReferenceEd25519.L));
    }

    private static BigInteger sum(byte[] digits, int window) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < digits.length; i++) {
            assertTrue(digits[i] == 0 || ((digits[i] & 1) == 1 && Math.abs(digits[i]) < 1 << (window - 1)));
            sum = sum.add(BigInteger.valueOf(digits[i]).shiftLeft(i));
        }
        return sum;
    }

    @Test
    void theDigitsAddUpToTheHalves() {
        long seed = new Random().nextLong();
        scalars(new Random(seed)).forEach(scalar -> {
            for (int window : new int[] {5, 7}) {
                String where = "seed " + seed + ", " + scalar;
                assertEquals(scalar.mod(HALF), sum(SignedWindows.low(scalar, 127, window), window), where);
                assertEquals(scalar.divide(HALF), sum(SignedWindows.high(scalar, 127, window), window), where);
            }
        });
    }

    /** Keys for which sums meet: B and its negative, small multiples, and those that are kept; each with the same R. */
    @Test
    void keysThatAreMultiplesOfTheBasePoint() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<BigInteger> secrets =
                scalars(random).limit(36).filter(one -> one.signum() > 0).toList();
        for (BigInteger secret : secrets) {
            byte[] raw = ReferenceEd25519.BASE.times(secret).encoded();
            Ed25519Provider.KeyVerifier verifier =
                    CofactorlessVerifier.of(PublicKey.of(raw)).orElseThrow();
            for (BigInteger r : List.of(BigInteger.ONE, secret, secret.negate().mod(ReferenceEd25519.L))) {
                byte[] text = {(byte) random.nextInt(256)};
                byte[] encoded = ReferenceEd25519.BASE.times(r).encoded();
                BigInteger s = ReferenceEd25519.hash(encoded, raw, text)
                        .multiply(secret)
                        .add(r)
                        .mod(ReferenceEd25519.L);
                byte[] signature = Arrays.copyOf(encoded, 64);
                System.arraycopy(ReferenceEd25519.littleEndian(s), 0, signature, 32, 32);
                assertTrue(verifier.verify(text, signature), "seed " + seed + ", secret " + secret + ", r " + r);
                signature[32] ^= 1;
                assertEquals(equation(raw, text, signature), verifier.verify(text, signature));
            }
        }
    }

    /** The third line of the rule alone, which holds for keys of every order. */
    private static boolean equation(byte[] key, byte[] text, byte[] signature) {
        byte[] r = Arrays.copyOf(signature, 32);
        BigInteger s = ReferenceEd25519.number(Arrays.copyOfRange(signature, 32, 64));
        Point a = ReferenceEd25519.decode(key).orElseThrow();
        BigInteger k = ReferenceEd25519.hash(r, key, text).mod(ReferenceEd25519.L);
        return Arrays.equals(
                r, ReferenceEd25519.BASE.times(s).plus(a.times(k).negated()).encoded());
    }

    /** Under keys and Rs with parts of small order, too, the sums are right: the formulas have no exceptions. */
    @Test
    void pointsOfEveryOrder() {
        long seed = new Random().nextLong();
        int right = 0;
        for (Vector vector : CrookedSignatures.all(seed)) {
            byte[] key = HEX.parseHex(vector.key());
            byte[] signature = HEX.parseHex(vector.signature());
            boolean inRange = ReferenceEd25519.number(Arrays.copyOfRange(signature, 32, 64))
                            .compareTo(ReferenceEd25519.L)
                    < 0;
            if (ReferenceEd25519.decode(key).isPresent() && inRange) {
                byte[] text = HEX.parseHex(vector.text());
                boolean expected = equation(key, text, signature);
                right += expected ? 1 : 0;
                assertEquals(
                        expected,
                        CofactorlessVerifier.of(PublicKey.of(key)).orElseThrow().verify(text, signature),
                        "seed " + seed + ", " + vector.name());
            }
        }
        assertTrue(right > 15, "seed " + seed + ": only " + right);
    }

    @Test
    void whatIsNoPointIsNoKey() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int points = 0;
        for (int i = 0; i < 400; i++) {
            byte[] raw = new byte[PublicKey.LENGTH];
            random.nextBytes(raw);
            boolean point = ReferenceEd25519.decode(raw).isPresent();
            assertEquals(point, CofactorlessVerifier.of(PublicKey.of(raw)).isPresent(), "seed " + seed);
            points += point ? 1 : 0;
        }
        assertTrue(points > 100 && points < 300, "seed " + seed + ": " + points);
    }
}
