package org.aspas.certify.wire;

/** A fork proof: two signed heads of one origin with equal size and different roots (the protocol page, §4). */
public record ForkedHeads(Signed<Head> one, Signed<Head> other) implements Evidence {
    static final Schema<ForkedHeads> SCHEMA = items ->
            new ForkedHeads(items.of(Head.SIGNED, ForkedHeads::one), items.of(Head.SIGNED, ForkedHeads::other));

    @Override
    public Accused accused() {
        return new Accused.Server(one.message().origin());
    }
}
