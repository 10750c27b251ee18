package org.aspas.client.transport;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.aspas.certify.identity.Pem;
import org.aspas.certify.identity.TlsIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Whose signatures make the certificate of a server good, for clients that reach servers by TLS. The certificate has to be of the
 * name or address in the descriptor besides. Immutable and thread-safe; equal only to itself.
 */
public final class ServerTrust {
    private static final ServerTrust USUAL = new ServerTrust(null);

    /** Null for the JDK's own, which is made only when somebody needs it. */
    private final @Nullable SSLContext context;

    private ServerTrust(@Nullable SSLContext context) {
        this.context = context;
    }

    /** Those whom this JDK trusts: its own trust store, or that of the system property {@code javax.net.ssl.trustStore}. */
    public static ServerTrust usual() {
        return USUAL;
    }

    /**
     * These, and nobody else.
     *
     * @param authorities at least one, or certificates of servers that nobody else signed
     */
    public static ServerTrust of(List<X509Certificate> authorities) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
            managers.init(store);
            SSLContext made = SSLContext.getInstance(TlsIdentity.PROTOCOL);
            made.init(null, managers.getTrustManagers(), null);
            return new ServerTrust(made);
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("this JDK has no " + TlsIdentity.PROTOCOL, impossible);
        }
    }

    /**
     * Those in a file, and nobody else.
     *
     * @param authorities certificates in PEM
     * @throws IllegalArgumentException when it holds no certificates; one line that names the file
     */
    public static ServerTrust of(Path authorities) throws IOException {
        try {
            return of(Pem.certificates(Files.readString(authorities, StandardCharsets.ISO_8859_1)));
        } catch (CertificateException unusable) {
            throw new IllegalArgumentException(authorities + " " + unusable.getMessage(), unusable);
        }
    }

    /** Begins an HTTP client that trusts so, and verifies the names of servers. */
    public HttpClient.Builder http() {
        HttpClient.Builder builder = HttpClient.newBuilder();
        return context == null ? builder : builder.sslContext(context);
    }

    /** The client's end of a new connection to a server of this name or address. */
    SSLEngine engine(String host, int port) {
        SSLEngine engine = context().createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {TlsIdentity.PROTOCOL});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return engine;
    }

    private SSLContext context() {
        try {
            return context == null ? SSLContext.getDefault() : context;
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException(
                    "the trust store of this JDK cannot be used: " + broken.getMessage(), broken);
        }
    }
}
