package org.aspas.client.core.port;

import java.util.List;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Signed;

/**
 * What a client has to remember to go on after a restart with the same key: numbers are contiguous for ever, and a
 * request is kept until it is confirmed (the protocol page, docs/protocol.md §2 and §9).
 *
 * @param lastNumber the last request number given out; 0 for a fresh key
 * @param lastSession the number of the last session record signed; 0 for a fresh key
 * @param certificate the highest certificate number verified
 * @param unconfirmed the unconfirmed requests in number order, byte for byte as signed
 */
public record ClientState(
        long lastNumber, long lastSession, CertificateNumber certificate, List<Signed<ClientSigned>> unconfirmed) {
    /** The record of a key that was never used. */
    public static final ClientState FRESH = new ClientState(0, 0, CertificateNumber.NONE, List.of());

    /** Copies the list. */
    public ClientState {
        unconfirmed = List.copyOf(unconfirmed);
    }
}
