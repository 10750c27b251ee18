package org.aspas.certify.message;

/**
 * A client's question for the value of an object.
 *
 * @param nonce the client's name for this read, echoed in the answer
 * @param key the object
 * @param type the datatype the client expects
 * @param certified whether the value must be that of a certificate, with its proof
 * @param certificate the highest certificate number the client has verified; a certified answer must not be older
 */
public record Read(long nonce, String key, String type, boolean certified, CertificateNumber certificate)
        implements Message {
    @Override
    public Kind kind() {
        return Kind.READ;
    }
}
