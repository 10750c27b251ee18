package org.aspas.certify.identity;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether a library computes Ed25519 by the rule: it must sign as RFC 8032 says, accept what is right and refuse what is
 * crooked. The vectors are also in docs/formats.md, for verifiers in other languages.
 */
public final class Ed25519SelfTest {
    private static final HexFormat HEX = HexFormat.of();

    private static final String TABLE = "ed25519-vectors.txt";

    /** RFC 8032 §7.1, test 2. */
    private static final String SEED = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";

    private static final String TEXT = "72";
    private static final String SIGNATURE = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

    private Ed25519SelfTest() {}

    /**
     * One case.
     *
     * @param name what is special about it
     * @param valid whether the signature is right by the rule
     * @param key the public key, 32 bytes in hexadecimal
     * @param text the signed text in hexadecimal
     * @param signature R ‖ S, 64 bytes in hexadecimal
     */
    public record Vector(String name, boolean valid, String key, String text, String signature) {}

    public static List<Vector> vectors() {
        return table().lines().map(Ed25519SelfTest::vector).toList();
    }

    /** The cases as docs/formats.md shows them, one a line: name, colon, whether valid, key, text, signature. */
    public static String table() {
        try (InputStream table = Ed25519SelfTest.class.getResourceAsStream(TABLE)) {
            return new String(Objects.requireNonNull(table, TABLE).readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(TABLE + " cannot be read", unreadable);
        }
    }

    private static Vector vector(String line) {
        int colon = line.indexOf(": ");
        String[] parts = line.substring(colon + 2).split(" ", -1);
        return new Vector(line.substring(0, colon), parts[0].equals("valid"), parts[1], parts[2], parts[3]);
    }

    /** What a library gets wrong first; empty when all is right. */
    static Optional<String> failure(Ed25519Provider provider) {
        try {
            byte[] signed = provider.signer(HEX.parseHex(SEED)).sign(HEX.parseHex(TEXT));
            if (!Arrays.equals(signed, HEX.parseHex(SIGNATURE))) {
                return Optional.of("a signature is not that of RFC 8032");
            }
            Ed25519 scheme = new Ed25519(provider);
            return vectors().stream()
                    .filter(vector -> vector.valid() != verdict(scheme, vector))
                    .map(vector -> (vector.valid() ? "refused: " : "accepted: ") + vector.name())
                    .findFirst();
        } catch (RuntimeException | LinkageError broken) {
            return Optional.of(broken.toString());
        }
    }

    private static boolean verdict(Ed25519 scheme, Vector vector) {
        PublicKey key = PublicKey.of(HEX.parseHex(vector.key()));
        return scheme.verify(key, HEX.parseHex(vector.text()), HEX.parseHex(vector.signature()));
    }
}
