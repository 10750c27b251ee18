package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signatures: the scheme of RFC 8032, and what this project puts under it. */
class Ed25519Test {
    private static final HexFormat HEX = HexFormat.of();
    private static final Hash HERE = Hash.sha256(new byte[] {1});
    private static final Hash ELSEWHERE = Hash.sha256(new byte[] {2});

    private static SigningKey key(int seed) {
        byte[] bytes = new byte[Ed25519.SEED_LENGTH];
        bytes[0] = (byte) seed;
        return SigningKey.of(bytes);
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
        byte[] signed = Ed25519.BOUNCY_CASTLE.sign(Ed25519.BOUNCY_CASTLE.privateKey(rawSeed), HEX.parseHex(text));
        assertEquals(publicKey, Ed25519.publicKey(rawSeed).toString());
        assertEquals(signature, HEX.formatHex(signed));
        assertTrue(Ed25519.BOUNCY_CASTLE.verify(Ed25519.publicKey(rawSeed), HEX.parseHex(text), signed));
    }

    @Test
    void theSignedTextIsTagZeroDeploymentPayload() {
        byte[] payload = {9, 8, 7};
        byte[] tag = "aspas/v1/head\0".getBytes(StandardCharsets.UTF_8);
        String expected = HEX.formatHex(tag) + HERE + HEX.formatHex(payload);
        assertEquals(expected, HEX.formatHex(Domain.HEAD.signedText(HERE, payload)));
        byte[] raw =
                Ed25519.BOUNCY_CASTLE.sign(Ed25519.BOUNCY_CASTLE.privateKey(key(1).seed()), HEX.parseHex(expected));
        assertArrayEquals(raw, key(1).sign(Domain.HEAD, HERE, payload));
    }

    @Test
    void aSignatureHoldsForOneUseOnly() {
        byte[] payload = {1, 2, 3};
        Verifier verifier = new Verifier(HERE);
        for (Domain signed : Domain.values()) {
            byte[] signature = key(1).sign(signed, HERE, payload);
            for (Domain asked : Domain.values()) {
                assertEquals(signed == asked, verifier.verify(key(1).publicKey(), asked, payload, signature));
            }
        }
    }

    @Test
    void aSignatureHoldsInOneDeploymentByOneKeyForOnePayload() {
        byte[] payload = {1, 2, 3};
        byte[] signature = key(1).sign(Domain.REQUEST, HERE, payload);
        Verifier here = new Verifier(HERE);
        assertTrue(here.verify(key(1).publicKey(), Domain.REQUEST, payload, signature));
        assertFalse(new Verifier(ELSEWHERE).verify(key(1).publicKey(), Domain.REQUEST, payload, signature));
        assertFalse(here.verify(key(2).publicKey(), Domain.REQUEST, payload, signature));
        assertFalse(here.verify(key(1).publicKey(), Domain.REQUEST, new byte[] {1, 2}, signature));
    }

    @Test
    void malformedSignaturesAndKeysAreFalse() {
        Verifier verifier = new Verifier(HERE);
        byte[] payload = {1};
        Random random = new Random(5);
        for (int length : new int[] {0, 1, 63, 64, 65, 1000}) {
            for (int i = 0; i < 50; i++) {
                byte[] signature = new byte[length];
                random.nextBytes(signature);
                byte[] raw = new byte[PublicKey.LENGTH];
                random.nextBytes(raw);
                assertFalse(verifier.verify(PublicKey.of(raw), Domain.HEAD, payload, signature), "try " + i);
            }
        }
        byte[] ones = new byte[PublicKey.LENGTH];
        Arrays.fill(ones, (byte) 0xff);
        assertFalse(verifier.verify(PublicKey.of(ones), Domain.HEAD, payload, new byte[64]));
    }

    @Test
    void everyBitOfASignatureCounts() {
        byte[] signature = key(3).sign(Domain.TICK, HERE, new byte[] {1});
        for (int bit = 0; bit < 512; bit += 3) {
            byte[] changed = signature.clone();
            changed[bit / 8] ^= (byte) (1 << (bit % 8));
            assertFalse(new Verifier(HERE).verify(key(3).publicKey(), Domain.TICK, new byte[] {1}, changed));
        }
    }

    /** Points of small order, encodings that are not canonical, and one point with a part of small order. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d"
    })
    void unsoundKeysVerifyNothing(String hex) {
        PublicKey key = PublicKey.of(HEX.parseHex(hex));
        assertFalse(key.isSound());
        assertThrows(IllegalArgumentException.class, () -> DescriptorFields.key("key", hex));
        Verifier verifier = new Verifier(HERE);
        byte[] identity = new byte[64];
        identity[0] = 1;
        for (int payload = 0; payload < 64; payload++) {
            // R is the neutral element and S is 0: under a point of small order some libraries accept this for some
            // texts.
            assertFalse(verifier.verify(key, Domain.REQUEST, new byte[] {(byte) payload}, identity));
        }
        assertTrue(key(1).publicKey().isSound());
    }

    @Test
    void aSeedHas32Bytes() {
        assertThrows(IllegalArgumentException.class, () -> SigningKey.of(new byte[31]));
        assertFalse(key(1).toString().contains(HEX.formatHex(key(1).seed())));
    }
}
