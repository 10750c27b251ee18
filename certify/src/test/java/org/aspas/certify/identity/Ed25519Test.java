package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.aspas.certify.identity.DescriptorFile.DescriptorFields;
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

    @Test
    void theSignedTextIsTagZeroDeploymentPayload() {
        byte[] payload = {9, 8, 7};
        byte[] tag = "aspas/v1/head\0".getBytes(StandardCharsets.UTF_8);
        String expected = HEX.formatHex(tag) + HERE + HEX.formatHex(payload);
        assertEquals(expected, HEX.formatHex(Domain.HEAD.signedText(HERE, payload)));
        byte[] raw = new BouncyCastleEd25519().signer(key(1).seed()).sign(HEX.parseHex(expected));
        assertArrayEquals(raw, key(1).sign(Domain.HEAD, HERE, payload));
    }

    @Test
    void aGeneratedKeySignsLikeTheKeyOfItsSeed() {
        SigningKey made = SigningKey.generate();
        byte[] payload = {1, 2, 3};
        byte[] signature = made.sign(Domain.REQUEST, HERE, payload);
        assertTrue(new Verifier(HERE).verify(made.publicKey(), Domain.REQUEST, payload, signature));
        assertEquals(made.publicKey(), SigningKey.of(made.seed()).publicKey());
        assertNotEquals(made.publicKey(), SigningKey.generate().publicKey());
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
            // R is the neutral element and S is 0: some libraries accept this under a point of small order.
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
