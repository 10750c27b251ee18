package org.aspas.client.net;

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
 * The authorities whose signatures make a server's TLS certificate valid for a client. The certificate must also be for the name or
 * address in the descriptor. Immutable and thread-safe; equal only to itself.
 */
public final class ServerTrust {
    private static final ServerTrust USUAL = new ServerTrust(null);

    /** Null for the JDK's own context, which is created only when it is needed. */
    private final @Nullable SSLContext context;

    private ServerTrust(@Nullable SSLContext context) {
        this.context = context;
    }

    /** Returns the authorities that this JDK trusts: its own trust store, or that of the system property {@code javax.net.ssl.trustStore}. */
    public static ServerTrust usual() {
        return USUAL;
    }

    /**
     * Trusts the given authorities only.
     *
     * @param authorities at least one certificate, of an authority or of a server that signed its own
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
     * Trusts the authorities in a file only.
     *
     * @param authorities a file with certificates in PEM
     * @throws IllegalArgumentException when the file holds no certificates; the message is one line that names it
     * @throws IOException when the file cannot be read
     */
    public static ServerTrust of(Path authorities) throws IOException {
        try {
            return of(Pem.certificates(Files.readString(authorities, StandardCharsets.ISO_8859_1)));
        } catch (CertificateException unusable) {
            throw new IllegalArgumentException(authorities + " " + unusable.getMessage(), unusable);
        }
    }

    /** Returns a builder of HTTP clients that trust these authorities and verify the names of servers. */
    public HttpClient.Builder http() {
        HttpClient.Builder builder = HttpClient.newBuilder();
        return context == null ? builder : builder.sslContext(context);
    }

    /** Returns the client's end of a new TLS connection to a server with this name or address. */
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
