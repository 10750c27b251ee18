package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.log.InclusionProof;
import org.aspas.crdt.clock.Dot;

/**
 * A certificate with proofs that it covers updates of the client (the protocol page, §6).
 *
 * @param covered one item per update that it covers and that was not proved to this client before
 */
public record Confirmation(ClientId client, Certificate certificate, List<Covered> covered) implements Message {
    static final Schema<Confirmation> SCHEMA = items -> new Confirmation(
            items.client(Confirmation::client),
            items.of(Certificate.ITEM, Confirmation::certificate),
            items.list(Item.MAX_LIST, Covered.ITEM, Confirmation::covered));

    public Confirmation {
        covered = List.copyOf(covered);
    }

    /**
     * One covered update.
     *
     * @param proof the inclusion of that entry's leaf under the certificate's root of its origin
     */
    public record Covered(long number, Dot dot, InclusionProof proof) {
        static final Item<Covered> ITEM = Item.array(items ->
                new Covered(items.positive(Covered::number), items.dot(Covered::dot), items.inclusion(Covered::proof)));
    }
}
