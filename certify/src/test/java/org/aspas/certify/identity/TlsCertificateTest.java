package org.aspas.certify.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates and keys as operators have them: what can be used is used, and what cannot is said in words. */
class TlsCertificateTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plus(Duration.ofDays(90));

    private static TlsCertificate made() {
        return TlsCertificate.selfSigned("server.example", NOW, LATER);
    }

    private static String certificate(KeyPair pair, String signature) throws Exception {
        X500Name name = new X500Name("CN=server.example");
        return Pem.certificate(new X509v3CertificateBuilder(
                        name,
                        BigInteger.ONE,
                        Date.from(NOW),
                        Date.from(LATER),
                        name,
                        SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()))
                .build(new JcaContentSignerBuilder(signature).build(pair.getPrivate()))
                .getEncoded());
    }

    @ParameterizedTest
    @CsvSource({"RSA, SHA256withRSA", "EC, SHA256withECDSA", "Ed25519, Ed25519"})
    void everyUsualAlgorithmCanBeUsed(String algorithm, String signature) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        String text = certificate(pair, signature);
        TlsCertificate read = TlsCertificate.of(
                Pem.certificates(text), Pem.privateKey(pair.getPrivate().getEncoded()));
        assertThat(read.chainText()).isEqualTo(text);
        assertThat(read.expires()).isEqualTo(LATER);
        assertThat(read.context().createSSLEngine()).isNotNull();
    }

    @Test
    void whatIsMadeCanBeReadAndNamesItsServer() throws Exception {
        TlsCertificate made = made();
        assertThat(made.chain().get(0).getSubjectAlternativeNames()).containsExactly(List.of(2, "server.example"));
        assertThat(TlsCertificate.selfSigned("10.0.0.7", NOW, LATER)
                        .chain()
                        .get(0)
                        .getSubjectAlternativeNames())
                .containsExactly(List.of(7, "10.0.0.7"));
        assertThat(TlsCertificate.selfSigned("::1", NOW, LATER).chain().get(0).getSubjectAlternativeNames())
                .containsExactly(List.of(7, "0:0:0:0:0:0:0:1"));
        TlsCertificate read = TlsCertificate.of(Pem.certificates(made.chainText()), made.keyText());
        assertThat(read.chain()).isEqualTo(made.chain());
        assertThat(read.keyText()).isEqualTo(made.keyText());
    }

    /** The first to expire counts, whoever it is. */
    @Test
    void aChainExpiresWithItsFirst() throws Exception {
        TlsCertificate made = made();
        X509Certificate brief = TlsCertificate.selfSigned("authority", NOW, NOW.plusSeconds(60))
                .chain()
                .get(0);
        TlsCertificate chain = TlsCertificate.of(List.of(made.chain().get(0), brief), made.keyText());
        assertThat(chain.expires()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void whatStandsAroundTheBlocksIsNotRead() throws Exception {
        TlsCertificate made = made();
        String text = "subject: /CN=x\r\n" + made.keyText() + "\nissuer\n"
                + made.chainText().replace("\n", "\r\n");
        assertThat(Pem.certificates(text)).isEqualTo(made.chain());
        assertThat(TlsCertificate.of(made.chain(), text).keyText()).isEqualTo(made.keyText());
    }

    @Test
    void aKeyOfAnotherCertificateIsSaid() throws Exception {
        TlsCertificate made = made();
        assertThatThrownBy(() -> TlsCertificate.of(made.chain(), made().keyText()))
                .isInstanceOf(InvalidKeySpecException.class)
                .hasMessage("does not hold the private key of the certificate");
        String rsa = Pem.privateKey(KeyPairGenerator.getInstance("RSA")
                .generateKeyPair()
                .getPrivate()
                .getEncoded());
        assertThatThrownBy(() -> TlsCertificate.of(made.chain(), rsa))
                .isInstanceOf(InvalidKeySpecException.class)
                .hasMessage("holds no private key of the certificate's algorithm, EC");
    }

    @Test
    void textsWithoutAKeyAreSaid() {
        List<X509Certificate> chain = made().chain();
        assertThatThrownBy(() -> TlsCertificate.of(chain, "nothing"))
                .hasMessage("holds no private key in PEM (-----BEGIN PRIVATE KEY-----)");
        for (String form : List.of("ENCRYPTED PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY")) {
            assertThatThrownBy(() -> TlsCertificate.of(
                            chain, "-----BEGIN " + form + "-----\nAAAA\n-----END " + form + "-----\n"))
                    .isInstanceOf(InvalidKeySpecException.class)
                    .hasMessageContaining("encrypted, or not in PKCS#8");
        }
        assertThatThrownBy(
                        () -> TlsCertificate.of(chain, "-----BEGIN PRIVATE KEY-----\n=A=\n-----END PRIVATE KEY-----\n"))
                .isInstanceOf(InvalidKeySpecException.class);
    }

    @Test
    void textsWithoutACertificateAreSaid() {
        assertThatThrownBy(() -> Pem.certificates(made().keyText()))
                .isInstanceOf(CertificateException.class)
                .hasMessageStartingWith("holds no certificate in PEM");
        assertThatThrownBy(() -> Pem.certificates("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"))
                .isInstanceOf(CertificateException.class)
                .hasMessage("holds a certificate that cannot be read");
    }
}
