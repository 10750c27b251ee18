package org.aspas.certify.identity;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;

/**
 * A node's one Ed25519 key as Transport Layer Security wants it: a self-signed X.509 certificate that carries the key
 * (RFC 8410), and an {@link SSLContext} that shows it. The certificate says nothing else: names, dates and issuers in a
 * peer's certificate are not read. A peer is accepted if and only if its certificate's public key is one of the raw
 * keys that the caller allows; TLS 1.3 then makes the peer prove that it holds the private half. Immutable and
 * thread-safe.
 */
public final class TlsIdentity {
    /** The only protocol version that a link may use. */
    public static final String PROTOCOL = "TLSv1.3";

    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final String ALIAS = "node";

    private final PublicKey publicKey;
    private final PrivateKey privateKey;
    private final X509Certificate certificate;

    private TlsIdentity(PublicKey publicKey, PrivateKey privateKey, X509Certificate certificate) {
        this.publicKey = publicKey;
        this.privateKey = privateKey;
        this.certificate = certificate;
    }

    /**
     * The identity of a private seed.
     *
     * @param seed the 32 bytes of RFC 8032 §5.1.5
     * @throws IllegalArgumentException when the seed is not 32 bytes long
     */
    public static TlsIdentity of(byte[] seed) {
        if (seed.length != Ed25519.SEED_LENGTH) {
            throw new IllegalArgumentException("a seed has " + Ed25519.SEED_LENGTH + " bytes, not " + seed.length);
        }
        Ed25519PrivateKeyParameters key = new Ed25519PrivateKeyParameters(seed);
        try {
            // The JDK's own provider, not Bouncy Castle: JSSE signs the handshake with it.
            PrivateKey privateKey = KeyFactory.getInstance("Ed25519")
                    .generatePrivate(new PKCS8EncodedKeySpec(
                            PrivateKeyInfoFactory.createPrivateKeyInfo(key).getEncoded()));
            return new TlsIdentity(
                    PublicKey.of(key.generatePublicKey().getEncoded()), privateKey, selfSigned(key, privateKey));
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("this JDK cannot make an Ed25519 certificate", impossible);
        }
    }

    private static X509Certificate selfSigned(Ed25519PrivateKeyParameters key, PrivateKey signingKey)
            throws GeneralSecurityException, IOException {
        SubjectPublicKeyInfo subjectKey =
                SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(key.generatePublicKey());
        // RFC 5280 §4.1.2.5: 99991231235959Z stands for "no well-defined expiration date".
        SelfSigned certificate = new SelfSigned(
                new X500Name("CN=aspas"),
                BigInteger.ONE,
                Instant.parse("2020-01-01T00:00:00Z"),
                Instant.parse("9999-12-31T23:59:59Z"),
                subjectKey,
                null);
        // RFC 8410 §3: the key and the signature have one identifier.
        return certificate.sign(signingKey, "Ed25519", subjectKey.getAlgorithm());
    }

    public PublicKey publicKey() {
        return publicKey;
    }

    /** A context that shows this identity and accepts only peers that hold one of these keys. */
    public SSLContext contextFor(Set<PublicKey> allowed) {
        try {
            // A key store in memory only; its password guards nothing, but the JDK wants one.
            char[] password = ALIAS.toCharArray();
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, password);
            keys.setKeyEntry(ALIAS, privateKey, password, new Certificate[] {certificate});
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("SunX509");
            keyManagers.init(keys, password);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(keyManagers.getKeyManagers(), new TrustManager[] {new PinnedKeys(Set.copyOf(allowed))}, null);
            return context;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("this JDK has no " + PROTOCOL, impossible);
        }
    }

    /** The raw key that the peer of a finished handshake proved to hold; empty when it is not an Ed25519 key. */
    public static Optional<PublicKey> peerKey(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length == 0 ? Optional.empty() : rawKey(chain[0]);
        } catch (SSLPeerUnverifiedException anonymous) {
            return Optional.empty();
        }
    }

    private static Optional<PublicKey> rawKey(Certificate certificate) {
        byte[] encoded = certificate.getPublicKey().getEncoded();
        if (encoded.length != X509_PREFIX.length + PublicKey.LENGTH
                || !Arrays.equals(encoded, 0, X509_PREFIX.length, X509_PREFIX, 0, X509_PREFIX.length)) {
            return Optional.empty();
        }
        return PublicKey.read(Arrays.copyOfRange(encoded, X509_PREFIX.length, encoded.length));
    }

    /** Accepts a certificate for its raw key alone. */
    private static final class PinnedKeys implements X509TrustManager {
        private final Set<PublicKey> allowed;

        PinnedKeys(Set<PublicKey> allowed) {
            this.allowed = allowed;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (chain.length == 0 || rawKey(chain[0]).filter(allowed::contains).isEmpty()) {
                throw new CertificateException("the peer's key is not in the deployment descriptor");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
