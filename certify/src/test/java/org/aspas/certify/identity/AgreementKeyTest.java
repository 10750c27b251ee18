package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** X25519 and HKDF by the vectors of their RFCs, and what becomes of shares that no honest party makes. */
class AgreementKeyTest {
    private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    private static final byte[] INFO = "what it is for".getBytes(StandardCharsets.US_ASCII);
    private static final Hash SALT = Hash.sha256(new byte[] {1});

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static AgreementKey key(String hex) {
        return AgreementKey.of(bytes(hex));
    }

    private static AgreementShare share(BigInteger u, boolean top) {
        byte[] little = new byte[AgreementShare.LENGTH];
        for (int i = 0; i < little.length; i++) {
            little[i] = u.shiftRight(8 * i).byteValue();
        }
        little[31] |= (byte) (top ? 0x80 : 0);
        return AgreementShare.of(little);
    }

    private static byte[] hmac(byte[] key, byte[]... texts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            Arrays.stream(texts).forEach(mac::update);
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The first 32 bytes, as RFC 5869 has it. */
    private static byte[] hkdf(byte[] secret, byte[] salt, byte[] info) {
        return hmac(hmac(salt, secret), info, new byte[] {1});
    }

    /** RFC 5869, A.1: this test's own reckoning is the one of the RFC. */
    @Test
    void theReckoningHereIsThatOfTheRfc() {
        byte[] key = hkdf(
                bytes("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"),
                bytes("000102030405060708090a0b0c"),
                bytes("f0f1f2f3f4f5f6f7f8f9"));
        assertEquals(
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
                HexFormat.of().formatHex(key));
    }

    /** RFC 7748, §5.2: a scalar, another party's u, and what they come to. */
    @ParameterizedTest
    @CsvSource({
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4,"
                + "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c,"
                + "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d,"
                + "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493,"
                + "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
    })
    void secretsAreThoseOfTheRfc(String scalar, String u, String secret) {
        assertArrayEquals(
                hkdf(bytes(secret), SALT.toBytes(), INFO),
                key(scalar).agree(AgreementShare.of(bytes(u)), SALT, INFO).orElseThrow());
    }

    /** RFC 7748, §6.1. */
    @Test
    void bothSidesComeToOneSecret() {
        AgreementKey alice = key("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
        AgreementKey bob = key("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
        assertEquals(
                "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
                alice.share().toString());
        assertEquals(
                "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
                bob.share().toString());
        byte[] secret = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
        byte[] expected = hkdf(secret, SALT.toBytes(), INFO);
        assertArrayEquals(expected, alice.agree(bob.share(), SALT, INFO).orElseThrow());
        assertArrayEquals(expected, bob.agree(alice.share(), SALT, INFO).orElseThrow());
    }

    /** The vector of docs/formats.md: HKDF of the seed without a salt, which is 32 zeros. */
    @Test
    void aServersKeyFollowsFromItsSeed() {
        byte[] seed = new byte[32];
        for (int i = 0; i < seed.length; i++) {
            seed[i] = (byte) i;
        }
        AgreementKey server = AgreementKey.ofServer(SigningKey.of(seed));
        byte[] scalar = hkdf(seed, new byte[32], "aspas/v1/agreement".getBytes(StandardCharsets.US_ASCII));
        assertEquals(AgreementKey.of(scalar).share(), server.share());
        assertEquals(
                "a4ded5755c29670dc8c46194d0d8208eb30a03ab783547ed32d151f23d0c4c66",
                server.share().toString());
        assertFalse(server.toString().contains(HexFormat.of().formatHex(scalar)));
    }

    /** The seven encodings of small order, each also with the bit that no reader looks at. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "1",
                "39382357235489614581723060781553021112529911719440698176882885853963445705823",
                "325606250916557431795983626356110631294008115727848805560023387167927233504"
            })
    void ofASmallOrderShareComesNothing(String u) {
        small(new BigInteger(u));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void ofASmallOrderShareBesideTheModulusComesNothing(int more) {
        small(P.add(BigInteger.valueOf(more)));
    }

    private static void small(BigInteger u) {
        for (boolean top : new boolean[] {false, true}) {
            assertEquals(Optional.empty(), key("11".repeat(32)).agree(share(u, top), SALT, INFO), u + " " + top);
        }
    }

    /** Whoever makes such a share and whoever reads it see one point: no reader may refuse what another one takes. */
    @Test
    void anotherEncodingOfAShareIsTheSamePoint() {
        AgreementKey own = key("42".repeat(32));
        byte[] expected =
                own.agree(share(BigInteger.valueOf(9), false), SALT, INFO).orElseThrow();
        assertArrayEquals(
                expected,
                own.agree(share(BigInteger.valueOf(9), true), SALT, INFO).orElseThrow());
        assertArrayEquals(
                expected,
                own.agree(share(P.add(BigInteger.valueOf(9)), false), SALT, INFO)
                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33})
    void keysAndSharesHave32Bytes(int length) {
        assertThrows(IllegalArgumentException.class, () -> AgreementKey.of(new byte[length]));
        assertThrows(IllegalArgumentException.class, () -> AgreementShare.of(new byte[length]));
        assertEquals(Optional.empty(), AgreementShare.read(new byte[length]));
    }

    @Test
    void whatIsGivenAndTakenMayBeChanged() {
        byte[] secret = bytes("42".repeat(32));
        AgreementKey own = AgreementKey.of(secret);
        byte[] raw = own.share().toBytes();
        AgreementShare read = AgreementShare.of(raw);
        secret[5] ^= 1;
        raw[5] ^= 1;
        own.share().toBytes()[5] ^= 1;
        assertEquals(own.share(), read);
        assertEquals(own.share().hashCode(), read.hashCode());
        byte[] expected = own.agree(read, SALT, INFO).orElseThrow();
        assertArrayEquals(expected, key("42".repeat(32)).agree(read, SALT, INFO).orElseThrow());
    }
}
