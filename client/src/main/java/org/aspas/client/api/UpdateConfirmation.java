package org.aspas.client.api;

import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.Dot;

/**
 * A verified confirmation of an update: from now on every later certificate contains it.
 *
 * @param number the request number
 * @param dot the place of the update among its origin's entries
 * @param certificateNumber the number of the certificate that covers it
 * @param proof the inclusion of the update's entry in the certified log of its origin
 * @param nanos from the call to this confirmation in nanoseconds
 * @param lagNanos from the server's verified answer to this confirmation in nanoseconds
 */
public record UpdateConfirmation(
        long number,
        Dot dot,
        CertificateNumber certificateNumber,
        Certificate certificate,
        InclusionProof proof,
        long nanos,
        long lagNanos) {
    /** Short, for people: without the certificate's bytes and the proof. */
    @Override
    public String toString() {
        return "UpdateConfirmation[number=" + number + ", dot=" + dot + ", certificateNumber=" + certificateNumber
                + "]";
    }
}
