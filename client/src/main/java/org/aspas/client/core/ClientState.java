package org.aspas.client.core;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/**
 * A client's record: what it leaves to the next client with the same key. It keeps each request until that is confirmed
 * (docs/protocol.md §9). It holds no request number to continue from, because every run is a client of its own (docs/adr/0011). A lost,
 * outdated or copied record therefore cannot make two updates share a number. Immutable.
 *
 * @param certificate the highest number of a certificate that was verified
 * @param unconfirmed the unconfirmed requests in the order in which they were signed, byte for byte as signed
 */
public record ClientState(CertificateNumber certificate, List<Signed<ClientSigned>> unconfirmed) {
    /** The record of a key that was never used. */
    public static final ClientState FRESH = new ClientState(CertificateNumber.NONE, List.of());

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException when one of the messages is not a request
     */
    public ClientState {
        unconfirmed = List.copyOf(unconfirmed);
        if (!unconfirmed.stream().allMatch(signed -> signed.message() instanceof Request)) {
            throw new IllegalArgumentException("a client's record keeps requests alone");
        }
    }

    /**
     * Returns this record for a deployment that continues from the state of this one: the same requests, signed for that deployment, so
     * that each takes effect once in both together.
     *
     * @param sealer signs with the client's key for that deployment
     */
    public ClientState signedBy(Sealer sealer) {
        List<Signed<ClientSigned>> again = new ArrayList<>();
        for (Signed<ClientSigned> request : unconfirmed) {
            again.add(sealer.seal(request.message()));
        }
        return new ClientState(certificate, again);
    }
}
