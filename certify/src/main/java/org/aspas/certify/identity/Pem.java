package org.aspas.certify.identity;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** X.509 certificates and PKCS#8 private keys as text (RFC 7468). What stands around the blocks is not read. */
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private Pem() {}

    /**
     * All certificates of a text, in their order.
     *
     * @throws CertificateException when there is none, or one cannot be read; in words that go behind the name of a file
     */
    public static List<X509Certificate> certificates(String text) throws CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<byte[]> blocks = blocks(text, CERTIFICATE);
        if (blocks.isEmpty()) {
            throw new CertificateException("holds no certificate in PEM (-----BEGIN CERTIFICATE-----)");
        }
        List<X509Certificate> certificates = new ArrayList<>();
        for (byte[] block : blocks) {
            try {
                certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
            } catch (CertificateException broken) {
                throw new CertificateException("holds a certificate that cannot be read", broken);
            }
        }
        return certificates;
    }

    /**
     * The first private key of a text.
     *
     * @param algorithm of the key as the JDK names it, such as {@code EC}
     * @throws InvalidKeySpecException when there is none, it is encrypted or in another form, or of another algorithm; in words
     *     that go behind the name of a file
     */
    public static PrivateKey privateKey(String text, String algorithm) throws InvalidKeySpecException {
        List<byte[]> blocks = blocks(text, KEY);
        if (blocks.isEmpty()) {
            throw new InvalidKeySpecException(
                    text.contains("PRIVATE KEY-----")
                            ? "holds a private key that is encrypted, or not in PKCS#8; 'openssl pkcs8 -topk8 -nocrypt'"
                                    + " makes one that can be read"
                            : "holds no private key in PEM (-----BEGIN PRIVATE KEY-----)");
        }
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(blocks.get(0)));
        } catch (GeneralSecurityException other) {
            throw new InvalidKeySpecException(
                    "holds no private key of the certificate's algorithm, " + algorithm, other);
        }
    }

    private static List<byte[]> blocks(String text, String label) {
        Matcher found = BLOCK.matcher(text);
        List<byte[]> blocks = new ArrayList<>();
        while (found.find()) {
            if (found.group(1).equals(label)) {
                blocks.add(decoded(found.group(2)));
            }
        }
        return blocks;
    }

    /** The bytes; none where there is no Base64, which then can be read as nothing. */
    private static byte[] decoded(String base64) {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException broken) {
            return new byte[0];
        }
    }

    static String certificate(byte[] encoded) {
        return block(CERTIFICATE, encoded);
    }

    static String privateKey(byte[] encoded) {
        return block(KEY, encoded);
    }

    private static String block(String label, byte[] encoded) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(encoded) + "\n-----END " + label + "-----\n";
    }
}
