package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.state.PageProof;
import org.jspecify.annotations.Nullable;

/**
 * A page of the certified state at one certificate: all leaves under a prefix of a path, with what they stand for.
 *
 * @param place where the page begins, as it was asked for
 * @param proof that these are all leaves of the page; null when the sender has no such page (any more)
 * @param leaves what its leaves stand for, paths ascending
 */
public record SnapshotChunk(
        CertificateNumber number,
        SnapshotPull.Place place,
        @Nullable PageProof proof,
        List<SnapshotLeaf> leaves) implements SnapshotPart {
    static final Schema<SnapshotChunk> SCHEMA = items -> new SnapshotChunk(
            items.certificate(SnapshotChunk::number),
            items.of(SnapshotPull.Place.ITEM, SnapshotChunk::place),
            items.optional(Item.PAGE, SnapshotChunk::proof),
            items.list(Item.MAX_LIST, SnapshotLeaves.ITEM, SnapshotChunk::leaves));

    public SnapshotChunk {
        leaves = List.copyOf(leaves);
    }
}
