package org.aspas.certify.wire;

/** One replica's signature of a certificate's content, pushed to the appservers. */
public record Share(int replica, Signed<CertificateContent> content) implements Message {
    static final Schema<Share> SCHEMA =
            items -> new Share(items.index(Share::replica), items.of(CertificateContent.SIGNED, Share::content));
}
