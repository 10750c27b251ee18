package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;

/** A fork proof: different leaves at one index of one origin's log under two signed heads (the protocol page, §4). */
public record ForkedEntries(Branch one, Branch other) implements Evidence {
    static final Schema<ForkedEntries> SCHEMA = items ->
            new ForkedEntries(items.of(Branch.ITEM, ForkedEntries::one), items.of(Branch.ITEM, ForkedEntries::other));

    /**
     * A leaf under a signed head.
     *
     * @param proof its inclusion under the head's root
     */
    public record Branch(Signed<Head> head, Hash leaf, InclusionProof proof) {
        static final Item<Branch> ITEM = Item.array(items -> new Branch(
                items.of(Head.SIGNED, Branch::head), items.hash(Branch::leaf), items.inclusion(Branch::proof)));
    }

    @Override
    public Accused accused() {
        return new Accused.Server(one.head().message().origin());
    }
}
