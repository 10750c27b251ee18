package org.aspas.certify.wire;

/** One replica's signature of a certificate's content, pushed to the appservers. */
public record Share(int replica, Signed<CertificateContent> content) implements Message {
    @Override
    public Kind kind() {
        return Kind.SHARE;
    }
}
