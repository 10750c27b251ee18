package org.aspas.appserver.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.spec.InvalidKeySpecException;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.aspas.certify.identity.Pem;
import org.aspas.certify.identity.TlsCertificate;
import org.aspas.certify.identity.TlsIdentity;

/**
 * What a server shows to clients that come by TLS, at both of its ports. TLS 1.3 alone: with an older version a client could
 * begin handshakes anew on one connection, and each costs the server a signature. Immutable and thread-safe.
 */
public final class ClientTls {
    private final TlsCertificate certificate;
    private final SSLContext context;

    private ClientTls(TlsCertificate certificate) {
        this.certificate = certificate;
        this.context = certificate.context();
    }

    /**
     * Reads the files that an operator names.
     *
     * @param chain certificates in PEM, that of the server first
     * @param key the private key of the first one: PKCS#8 in PEM, not encrypted
     * @throws IOException when a file cannot be read
     * @throws IllegalArgumentException when a file holds something else, or the key is not the certificate's; one line that names
     *     the file
     */
    public static ClientTls read(Path chain, Path key) throws IOException {
        try {
            return new ClientTls(TlsCertificate.of(Pem.certificates(text(chain)), text(key)));
        } catch (CertificateException unusable) {
            throw new IllegalArgumentException(chain + " " + unusable.getMessage(), unusable);
        } catch (InvalidKeySpecException unusable) {
            throw new IllegalArgumentException(key + " " + unusable.getMessage(), unusable);
        }
    }

    /** Any bytes are some text in this encoding, so that a file of another kind holds no PEM, and nothing worse. */
    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    public Instant expires() {
        return certificate.expires();
    }

    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(new String[] {TlsIdentity.PROTOCOL});
        return engine;
    }
}
