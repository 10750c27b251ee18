package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * The size and root of an origin log, signed by the origin (the protocol page, §2). Two signed heads of one origin with
 * equal size and different roots prove a fork.
 *
 * @param origin the appserver whose log it is
 * @param root the RFC 9162 root over them
 */
public record Head(int origin, long size, Hash root) implements Message {
    static final Item<Signed<Head>> SIGNED = Item.signed(Head.class);

    /** Signed heads of several origins, in the order of these. */
    static final Item<List<Signed<Head>>> OF_ORIGINS =
            Item.ascending(Head.SIGNED, head -> head.message().origin());

    static final Schema<Head> SCHEMA =
            items -> new Head(items.index(Head::origin), items.natural(Head::size), items.hash(Head::root));
}
