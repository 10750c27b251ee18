package org.aspas.certify.wire;

/**
 * A signed answer that names a certificate which does not verify (the protocol page, §8).
 *
 * @param certificate the certificate whose whole encoding has the digest that the answer names
 */
public record BadCertificate(Signed<Response> response, Certificate certificate) implements Evidence {
    static final Schema<BadCertificate> SCHEMA = items -> new BadCertificate(
            items.of(Response.SIGNED, BadCertificate::response),
            items.of(Certificate.ITEM, BadCertificate::certificate));

    @Override
    public Accused accused() {
        return new Accused.Server(response.message().server());
    }
}
