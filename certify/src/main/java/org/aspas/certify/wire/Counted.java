package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.Dot;

/**
 * The entry that counts for one request number of a client.
 *
 * @param number the request number, from 1
 * @param dot the entry
 * @param identity the hash of what the client signed
 */
public record Counted(long number, Dot dot, Hash identity) {
    static final Item<Counted> ITEM = Item.array(items ->
            new Counted(items.positive(Counted::number), items.dot(Counted::dot), items.hash(Counted::identity)));
}
