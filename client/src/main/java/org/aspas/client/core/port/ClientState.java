package org.aspas.client.core.port;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/**
 * What a client leaves to the next one with the same key: a request is kept until it is confirmed (the protocol page,
 * docs/protocol.md §9). It holds no number to go on from, for each start is a client of its own (docs/adr/0011). So one that is
 * lost, old or copied makes no two updates alike.
 *
 * @param certificate the highest certificate number verified
 * @param unconfirmed the unconfirmed requests in the order in which they were signed, byte for byte as signed
 */
public record ClientState(CertificateNumber certificate, List<Signed<ClientSigned>> unconfirmed) {
    /** The record of a key that was never used. */
    public static final ClientState FRESH = new ClientState(CertificateNumber.NONE, List.of());

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException when one is no request
     */
    public ClientState {
        unconfirmed = List.copyOf(unconfirmed);
        if (!unconfirmed.stream().allMatch(signed -> signed.message() instanceof Request)) {
            throw new IllegalArgumentException("a client's record keeps requests alone");
        }
    }

    /**
     * The record of the same client in a deployment that goes on with the state of this one: the same requests, signed for that
     * one, so that each is counted once in both together.
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
