package org.aspas.client.api;

import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.Dot;

/**
 * A verified confirmation of an update: this certificate and every later one cover it. Immutable.
 *
 * @param number the request number
 * @param dot the place of the update among the entries of the server that answered
 * @param certificateNumber the number of the certificate that covers the update
 * @param certificate that certificate
 * @param proof the proof that the certified log of that server includes the update's entry
 * @param nanos nanoseconds from the call to this confirmation
 * @param lagNanos nanoseconds from the server's verified answer to this confirmation
 */
public record UpdateConfirmation(
        long number,
        Dot dot,
        CertificateNumber certificateNumber,
        Certificate certificate,
        InclusionProof proof,
        long nanos,
        long lagNanos) {
    /** Returns a short form for people, without the certificate's bytes and the proof. */
    @Override
    public String toString() {
        return "UpdateConfirmation[number=" + number + ", dot=" + dot + ", certificateNumber=" + certificateNumber
                + "]";
    }
}
