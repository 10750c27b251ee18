package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.aspas.certify.identity.Ed25519SelfTest.Vector;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One rule, whatever library computes it: what honest signers make is right, and nothing that only liars make. */
class Ed25519RuleTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final int MUTATIONS = 3_000;
    private static final int BY_REFERENCE_EVERY = 60;
    private static final List<Ed25519> SCHEMES =
            Ed25519Providers.all().stream().map(Ed25519::new).toList();

    private static boolean verdict(SignatureScheme scheme, byte[] key, byte[] text, byte[] signature) {
        return scheme.verify(PublicKey.of(key), text, signature);
    }

    /** RFC 8032 §7.1, tests 1, 2, 3 and SHA(abc). */
    @ParameterizedTest
    @CsvSource({
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
                + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,'',"
                + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b",
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
                + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,72,"
                + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                + "387b2eaeb4302aeeb00d291612bb0c00",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,"
                + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,af82,"
                + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                + "4a7c15e9716ed28dc027beceea1ec40a",
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42,"
                + "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf,"
                + "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
                + "454d4423643ce80e2a9ac94fa54ca49f,"
                + "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
                + "3dca179c138ac17ad9bef1177331a704"
    })
    void vectorsOfRfc8032(String seed, String publicKey, String text, String signature) {
        byte[] rawSeed = HEX.parseHex(seed);
        assertEquals(publicKey, Ed25519.publicKey(rawSeed).toString());
        for (Ed25519 scheme : SCHEMES) {
            byte[] signed = scheme.signer(rawSeed).sign(HEX.parseHex(text));
            assertEquals(signature, HEX.formatHex(signed));
            assertTrue(scheme.verify(Ed25519.publicKey(rawSeed), HEX.parseHex(text), signed));
        }
    }

    @RepeatedTest(2)
    void crookedSignaturesAreRefusedByAll() {
        long seed = new Random().nextLong();
        for (Vector vector : CrookedSignatures.all(seed)) {
            byte[] key = HEX.parseHex(vector.key());
            byte[] text = HEX.parseHex(vector.text());
            byte[] signature = HEX.parseHex(vector.signature());
            String where = "seed " + seed + ", " + vector.name();
            assertEquals(vector.valid(), ReferenceEd25519.verify(key, text, signature), where);
            for (Ed25519 scheme : SCHEMES) {
                assertEquals(vector.valid(), verdict(scheme, key, text, signature), where + ", " + scheme.provider());
            }
        }
    }

    /** A second look must not differ from the first, which prepares the key. */
    @Test
    void aKeyThatWasSeenIsNotTrustedMore() {
        for (Ed25519 scheme : SCHEMES) {
            for (int round = 0; round < 3; round++) {
                for (Vector vector : Ed25519SelfTest.vectors()) {
                    assertEquals(
                            vector.valid(),
                            verdict(
                                    scheme,
                                    HEX.parseHex(vector.key()),
                                    HEX.parseHex(vector.text()),
                                    HEX.parseHex(vector.signature())),
                            vector.name());
                }
            }
        }
    }

    @Test
    void librariesAgreeOnMutatedSignatures() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<Vector> vectors = CrookedSignatures.all(seed);
        int right = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            Vector vector = random.nextBoolean() ? vectors.get(0) : vectors.get(random.nextInt(vectors.size()));
            byte[][] parts = {HEX.parseHex(vector.key()), HEX.parseHex(vector.text()), HEX.parseHex(vector.signature())
            };
            mutate(random, parts, vectors);
            Set<Boolean> verdicts = new HashSet<>();
            SCHEMES.forEach(scheme -> verdicts.add(verdict(scheme, parts[0], parts[1], parts[2])));
            if (i % BY_REFERENCE_EVERY == 0) {
                verdicts.add(ReferenceEd25519.verify(parts[0], parts[1], parts[2]));
            }
            assertEquals(1, verdicts.size(), "seed " + seed + ", mutation " + i + " of " + vector.name());
            right += verdicts.contains(true) ? 1 : 0;
        }
        assertTrue(right > MUTATIONS / 100, "seed " + seed + ": only " + right + " were right");
    }

    private static void mutate(Random random, byte[][] parts, List<Vector> others) {
        byte[] signature = parts[2];
        switch (random.nextInt(8)) {
            case 0 -> flip(random, signature, 0, 64);
            case 1 -> flip(random, parts[0], 0, 32);
            case 2 -> flip(random, parts[1], 0, parts[1].length);
            case 3 -> signature[31] ^= (byte) 0x80;
            case 4 ->
                copy(HEX.parseHex(others.get(random.nextInt(others.size())).signature()), signature, 0, 32);
            case 5 ->
                parts[0] =
                        HEX.parseHex(others.get(random.nextInt(others.size())).key());
            case 6 -> negateS(signature);
            default -> {} // As it was.
        }
    }

    private static void flip(Random random, byte[] bytes, int from, int to) {
        int bit = random.nextInt((to - from) * 8);
        bytes[from + bit / 8] ^= (byte) (1 << (bit % 8));
    }

    private static void copy(byte[] from, byte[] to, int start, int end) {
        System.arraycopy(from, start, to, start, end - start);
    }

    private static void negateS(byte[] signature) {
        BigInteger s = ReferenceEd25519.number(Arrays.copyOfRange(signature, 32, 64));
        byte[] negated =
                ReferenceEd25519.littleEndian(ReferenceEd25519.L.subtract(s).mod(ReferenceEd25519.L));
        System.arraycopy(negated, 0, signature, 32, 32);
    }

    @Test
    void librariesMakeTheSameSignatures() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            byte[] privateSeed = new byte[Ed25519.SEED_LENGTH];
            random.nextBytes(privateSeed);
            byte[] text = new byte[random.nextInt(300)];
            random.nextBytes(text);
            byte[] first = SCHEMES.get(0).signer(privateSeed).sign(text);
            for (Ed25519 scheme : SCHEMES) {
                assertArrayEquals(first, scheme.signer(privateSeed).sign(text), "seed " + seed);
                assertTrue(scheme.verify(Ed25519.publicKey(privateSeed), text, first), "seed " + seed);
            }
        }
    }

    /** AmazonCorrettoCryptoProvider refuses texts above 1 MiB; the rule does not. */
    @ParameterizedTest
    @ValueSource(ints = {(1 << 19) - 1, 1 << 19, (1 << 19) + 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20})
    void longTexts(int length) {
        byte[] text = new byte[length];
        new Random(length).nextBytes(text);
        byte[] first = SCHEMES.get(0).signer(new byte[Ed25519.SEED_LENGTH]).sign(text);
        PublicKey key = Ed25519.publicKey(new byte[Ed25519.SEED_LENGTH]);
        byte[] crooked = first.clone();
        crooked[5] ^= 1;
        for (Ed25519 scheme : SCHEMES) {
            assertArrayEquals(
                    first, scheme.signer(new byte[Ed25519.SEED_LENGTH]).sign(text));
            assertTrue(scheme.verify(key, text, first), scheme.provider());
            assertFalse(scheme.verify(key, text, crooked), scheme.provider());
            assertTrue(scheme.verify(key, text, first), scheme.provider());
        }
    }

    /** Many threads share the objects of a key. */
    @Test
    void manyThreadsShareAKey() {
        for (Ed25519 scheme : SCHEMES) {
            SignatureScheme.Signer signer = scheme.signer(new byte[Ed25519.SEED_LENGTH]);
            PublicKey key = Ed25519.publicKey(new byte[Ed25519.SEED_LENGTH]);
            long wrong = Stream.iterate(0, i -> i + 1)
                    .limit(400)
                    .parallel()
                    .filter(i -> {
                        byte[] text = {i.byteValue(), (byte) (i >> 8)};
                        byte[] signature = signer.sign(text);
                        boolean right = scheme.verify(key, text, signature);
                        signature[40] ^= 1;
                        return !right || scheme.verify(key, text, signature);
                    })
                    .count();
            assertEquals(0, wrong, scheme.provider());
        }
    }

    /** The table of the self-test is what the generator of this test makes, line for line. */
    @Test
    void theSelfTestsVectorsAreGenerated() {
        List<Vector> generated = CrookedSignatures.all(1);
        List<Vector> vectors = Ed25519SelfTest.vectors();
        assertTrue(generated.containsAll(vectors));
        assertEquals(1, vectors.stream().filter(Vector::valid).count());
        assertEquals(vectors.size(), new HashSet<>(vectors).size());
    }
}
