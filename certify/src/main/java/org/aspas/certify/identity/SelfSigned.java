package org.aspas.certify.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An X.509 certificate that its own key signs (RFC 5280). Its subject is its issuer.
 *
 * @param serial the serial number, from 1
 * @param extensions more that it says; null for nothing
 */
record SelfSigned(
        X500Name name,
        BigInteger serial,
        Instant from,
        Instant to,
        SubjectPublicKeyInfo key,
        @Nullable Extensions extensions) {
    /**
     * Signs it.
     *
     * @param algorithm the signature's algorithm as the JDK names it
     * @param identifier the same algorithm as the certificate names it
     */
    X509Certificate sign(PrivateKey secret, String algorithm, AlgorithmIdentifier identifier)
            throws GeneralSecurityException, IOException {
        TBSCertificate content = content(identifier);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(content.getEncoded(ASN1Encoding.DER));
        byte[] encoded = new DERSequence(new ASN1Encodable[] {content, identifier, new DERBitString(signature.sign())})
                .getEncoded(ASN1Encoding.DER);
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    private TBSCertificate content(AlgorithmIdentifier identifier) {
        V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
        generator.setSerialNumber(new ASN1Integer(serial));
        generator.setIssuer(name);
        generator.setSubject(name);
        generator.setStartDate(new Time(Date.from(from)));
        generator.setEndDate(new Time(Date.from(to)));
        generator.setSubjectPublicKeyInfo(key);
        generator.setSignature(identifier);
        if (extensions != null) {
            generator.setExtensions(extensions);
        }
        return generator.generateTBSCertificate();
    }
}
