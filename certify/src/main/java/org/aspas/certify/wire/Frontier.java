package org.aspas.certify.wire;

import java.util.List;
import org.aspas.crdt.clock.VersionVector;

/**
 * What an appserver holds, told to its peers periodically and after every delivery that they sent: the acknowledgment of
 * a batch and the start of anti-entropy (the protocol page, §4).
 *
 * @param version what the sender has delivered
 * @param heads the newest signed head it holds of each origin that has one, in origin order
 * @param certificate the number of the newest certificate it holds
 */
public record Frontier(VersionVector version, List<Signed<Head>> heads, CertificateNumber certificate)
        implements Message {
    static final Schema<Frontier> SCHEMA = items -> new Frontier(
            items.version(Frontier::version),
            items.of(Head.OF_ORIGINS, Frontier::heads),
            items.certificate(Frontier::certificate));

    public Frontier {
        heads = List.copyOf(heads);
    }
}
