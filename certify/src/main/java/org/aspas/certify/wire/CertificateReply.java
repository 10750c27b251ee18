package org.aspas.certify.wire;

import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link GetCertificate}.
 *
 * @param number the number asked for
 * @param certificate the certificate; absent when this server does not hold it
 */
public record CertificateReply(
        CertificateNumber number, @Nullable Certificate certificate) implements Message {
    static final Schema<CertificateReply> SCHEMA = items -> new CertificateReply(
            items.certificate(CertificateReply::number),
            items.optional(Certificate.ITEM, CertificateReply::certificate));
}
