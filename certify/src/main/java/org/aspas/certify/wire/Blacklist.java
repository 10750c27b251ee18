package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;

/**
 * BLACKLIST (paper §3.6; the protocol page, §8): one appserver's signed verdict on a piece of evidence. f+1 equal ones
 * of others than the accused make a client switch, and convict where signatures alone do not.
 *
 * @param evidence the SHA-256 of the evidence's encoding
 */
public record Blacklist(int server, Hash evidence, Accused accused, Finding finding) implements Message {
    static final Item<Signed<Blacklist>> SIGNED = Item.signed(Blacklist.class);

    /** A client is named by its id, which is a byte string, and an appserver by its index. */
    private static final Item<Accused> ACCUSED = Item.item(
            in -> in.atBinary() ? new Accused.Client(in.client()) : new Accused.Server(in.index()), (out, accused) -> {
                if (accused instanceof Accused.Client client) {
                    out.client(client.id());
                } else {
                    out.integer(((Accused.Server) accused).index());
                }
            });

    private static final Item<Finding> FINDING = Item.constant(Finding.class);

    static final Schema<Blacklist> SCHEMA = items -> new Blacklist(
            items.index(Blacklist::server),
            items.hash(Blacklist::evidence),
            items.of(ACCUSED, Blacklist::accused),
            items.of(FINDING, Blacklist::finding));

    /** What a judge finds. Each has a fixed number on the wire: its ordinal. */
    public enum Finding {
        /** The evidence proves its case, by itself or together with what the judge recomputed. */
        GUILTY,
        /** The evidence is false by its signatures alone. */
        FALSE,
        /** The judge cannot confirm it, or not yet. */
        UNCONFIRMED
    }
}
