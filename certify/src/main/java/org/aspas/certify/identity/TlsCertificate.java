package org.aspas.certify.identity;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * What a server shows to clients that come by TLS: a chain of certificates and the private key of the first. It has nothing to do
 * with the node's own key, which {@link TlsIdentity} shows to other nodes. Immutable and thread-safe.
 */
public final class TlsCertificate {
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");
    private static final byte[] SAMPLE = {1};
    private static final int NAME_DIGITS = 32;
    private static final String ALIAS = "server";

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    private TlsCertificate(List<X509Certificate> chain, PrivateKey key) {
        this.chain = List.copyOf(chain);
        this.key = key;
    }

    /**
     * A certificate with its key.
     *
     * @param chain that of the server first, then who signed it; at least one
     * @param keyText the private key of the first one: PKCS#8 in PEM, RSA, EC or Ed25519
     * @throws CertificateException when the first one has a key of another algorithm
     * @throws InvalidKeySpecException when the key cannot be read or does not fit the first certificate; both in words that go
     *     behind the name of a file
     */
    public static TlsCertificate of(List<X509Certificate> chain, String keyText)
            throws CertificateException, InvalidKeySpecException {
        java.security.PublicKey open = chain.get(0).getPublicKey();
        String signature = SIGNATURES.get(open.getAlgorithm());
        if (signature == null) {
            throw new CertificateException("has a key of the algorithm " + open.getAlgorithm()
                    + ", which servers do not use here: RSA, EC and Ed25519 can be used");
        }
        PrivateKey key = Pem.privateKey(keyText, open.getAlgorithm());
        if (!belongTogether(signature, open, key)) {
            throw new InvalidKeySpecException("does not hold the private key of the certificate");
        }
        return new TlsCertificate(chain, key);
    }

    private static boolean belongTogether(String algorithm, java.security.PublicKey open, PrivateKey secret) {
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(secret);
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(open);
            signature.update(SAMPLE);
            return signature.verify(signed);
        } catch (GeneralSecurityException another) {
            return false; // Such as a key on another curve.
        }
    }

    /**
     * Makes a new key, on P-256, and a certificate of it that nobody else signs: whoever trusts this certificate trusts this
     * server, and no other.
     *
     * @param host the name or address at which clients reach the server
     */
    public static TlsCertificate selfSigned(String host, Instant from, Instant to) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            // A name of its own: where one of many is trusted, it is looked up by that.
            String unique =
                    Hash.sha256(pair.getPublic().getEncoded()).toString().substring(0, NAME_DIGITS);
            X500Name name = new X500Name("CN=aspas " + unique);
            boolean address = host.contains(":") || host.matches("[0-9.]+");
            GeneralName subject = new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, host);
            Extension names = Extension.create(Extension.subjectAlternativeName, false, new GeneralNames(subject));
            SelfSigned certificate = new SelfSigned(
                    name,
                    BigInteger.valueOf(from.toEpochMilli()),
                    from,
                    to,
                    SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()),
                    new Extensions(names));
            return new TlsCertificate(
                    List.of(certificate.sign(
                            pair.getPrivate(),
                            "SHA256withECDSA",
                            new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256))),
                    pair.getPrivate());
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("this JDK cannot make an EC certificate", impossible);
        }
    }

    /** The chain, the server's own certificate first. */
    public List<X509Certificate> chain() {
        return chain;
    }

    public String chainText() {
        return chain.stream().map(TlsCertificate::text).collect(Collectors.joining());
    }

    private static String text(X509Certificate certificate) {
        try {
            return Pem.certificate(certificate.getEncoded());
        } catch (CertificateException impossible) {
            throw new IllegalStateException("a certificate that was read has an encoding", impossible);
        }
    }

    /** The private key as text, not encrypted. */
    public String keyText() {
        return Pem.privateKey(key.getEncoded());
    }

    /** When the first certificate of the chain expires. */
    public Instant expires() {
        return chain.stream()
                .map(one -> one.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /** A context that shows it, and asks clients for no certificate. */
    public SSLContext context() {
        try {
            // A key store in memory only; its password guards nothing, but the JDK wants one.
            char[] password = ALIAS.toCharArray();
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, password);
            keys.setKeyEntry(ALIAS, key, password, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("SunX509");
            keyManagers.init(keys, password);
            SSLContext context = SSLContext.getInstance(TlsIdentity.PROTOCOL);
            context.init(keyManagers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("this JDK has no " + TlsIdentity.PROTOCOL, impossible);
        }
    }
}
