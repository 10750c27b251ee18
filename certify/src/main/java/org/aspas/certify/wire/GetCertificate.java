package org.aspas.certify.wire;

/**
 * A question for a retained certificate; anyone may ask.
 *
 * @param number the certificate's number, or none for the newest
 */
public record GetCertificate(CertificateNumber number) implements Message {
    static final Schema<GetCertificate> SCHEMA = items -> new GetCertificate(items.certificate(GetCertificate::number));
}
