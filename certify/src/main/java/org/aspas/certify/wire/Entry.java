package org.aspas.certify.wire;

import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/**
 * One place in an origin log (the protocol page, §2).
 *
 * @param dot the origin and the sequence number, which is also the size of the log that ends with this entry
 * @param dependencies the origin's whole version vector before it, so that {@code dependencies[origin] = sequence - 1}
 * @param body the client's own signed words, byte for byte
 */
public record Entry(Dot dot, VersionVector dependencies, Signed<ClientSigned> body) implements Message {
    private static final Item<Signed<ClientSigned>> BODY = Item.signed(ClientSigned.class);

    static final Schema<Entry> SCHEMA =
            items -> new Entry(items.dot(Entry::dot), items.version(Entry::dependencies), items.of(BODY, Entry::body));
}
