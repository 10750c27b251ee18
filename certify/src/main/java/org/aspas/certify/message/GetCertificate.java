package org.aspas.certify.message;

/**
 * A question for a retained certificate; anyone may ask.
 *
 * @param number the certificate's number, or 0 for the newest
 */
public record GetCertificate(long number) implements Message {
    @Override
    public Kind kind() {
        return Kind.GET_CERTIFICATE;
    }
}
