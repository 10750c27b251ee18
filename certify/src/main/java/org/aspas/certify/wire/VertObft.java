package org.aspas.certify.wire;

import java.util.List;
import org.aspas.crdt.clock.VersionVector;

/**
 * VERTOBFT (paper §3.5): how far an appserver has delivered, with signed heads, so that nobody can report what an origin
 * never signed. A head may be larger than what is delivered: an origin can put entries that nobody can deliver under one
 * head with entries that others have delivered and built upon.
 *
 * @param version how much of each origin's log is delivered
 * @param heads at most one signed head per origin, in origin order; of each origin that the version is above 0 at, one
 *     that is at least as large
 */
public record VertObft(int server, VersionVector version, List<Signed<Head>> heads) implements Message {
    static final Schema<VertObft> SCHEMA = items -> new VertObft(
            items.index(VertObft::server),
            items.version(VertObft::version),
            items.of(Head.OF_ORIGINS, VertObft::heads));

    public VertObft {
        heads = List.copyOf(heads);
    }
}
