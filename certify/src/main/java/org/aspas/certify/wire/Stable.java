package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;

/**
 * STABLE (paper §3.5; the protocol page, §5.3): an appserver's answer to BFTREQSTABLE.
 *
 * @param previous the hash of the content of the certificate this state follows; {@code Hash.ZERO} before the first
 * @param version LV as asked
 * @param roots the log roots of every origin at LV
 * @param closed LV', the largest causally closed version at most LV that can be delivered
 * @param closedRoots the log roots of every origin at LV'
 * @param state the root of the state tree at LV'
 */
public record Stable(
        int server,
        Epoch epoch,
        long round,
        Hash previous,
        VersionVector version,
        List<Hash> roots,
        VersionVector closed,
        List<Hash> closedRoots,
        Hash state)
        implements Message {
    static final Item<Signed<Stable>> SIGNED = Item.signed(Stable.class);

    static final Schema<Stable> SCHEMA = items -> new Stable(
            items.index(Stable::server),
            items.epoch(Stable::epoch),
            items.natural(Stable::round),
            items.hash(Stable::previous),
            items.version(Stable::version),
            items.of(Item.ROOTS, Stable::roots),
            items.version(Stable::closed),
            items.of(Item.ROOTS, Stable::closedRoots),
            items.hash(Stable::state));

    public Stable {
        roots = List.copyOf(roots);
        closedRoots = List.copyOf(closedRoots);
    }
}
