package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;

/**
 * BFTREQSTABLE (paper §3.5): the certification machine asks for the state at a version. One replica's copy; an appserver
 * acts on b+1 equal ones.
 *
 * @param replica the bftserver that signs this copy
 * @param epoch rises with every certificate that is attempted
 * @param round from 1 within an epoch
 * @param previous the hash of the newest certificate's content; {@code Hash.ZERO} before the first
 * @param number the number the next certificate will have
 * @param version LV, the goal
 * @param exclusions the blacklist that the next certificate will have, in origin order
 */
public record BftReqStable(
        int replica,
        Epoch epoch,
        long round,
        Hash previous,
        CertificateNumber number,
        VersionVector version,
        List<CertificateContent.Exclusion> exclusions)
        implements Message {
    static final Schema<BftReqStable> SCHEMA = items -> new BftReqStable(
            items.index(BftReqStable::replica),
            items.epoch(BftReqStable::epoch),
            items.natural(BftReqStable::round),
            items.hash(BftReqStable::previous),
            items.certificate(BftReqStable::number),
            items.version(BftReqStable::version),
            items.of(CertificateContent.Exclusion.LIST, BftReqStable::exclusions));

    public BftReqStable {
        exclusions = List.copyOf(exclusions);
    }
}
