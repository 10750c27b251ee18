package org.aspas.certify.wire;

/**
 * The number of a certificate, or of the content that it certifies: the chain has one of each from 1 on (the protocol page,
 * docs/protocol.md §2).
 *
 * @param value 0 for none, else from 1; the codec takes no other
 */
public record CertificateNumber(long value) implements Comparable<CertificateNumber> {
    /** Before the first certificate. */
    public static final CertificateNumber NONE = new CertificateNumber(0);

    public static final CertificateNumber FIRST = new CertificateNumber(1);

    public CertificateNumber next() {
        return new CertificateNumber(value + 1);
    }

    /** The number of the certificate before; none for the first. */
    public CertificateNumber previous() {
        return new CertificateNumber(value - 1);
    }

    public boolean isAfter(CertificateNumber other) {
        return value > other.value;
    }

    public static CertificateNumber max(CertificateNumber one, CertificateNumber other) {
        return one.isAfter(other) ? one : other;
    }

    @Override
    public int compareTo(CertificateNumber other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
