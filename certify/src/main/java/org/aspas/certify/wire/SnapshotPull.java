package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * A question for a part of the certified state at one certificate; answered with a {@link SnapshotHead} or a {@link
 * SnapshotChunk}.
 *
 * @param number the certificate; for a head 0 too, which names the newest one of which there is a snapshot
 * @param place the chunk that is wanted; null for the head
 */
public record SnapshotPull(
        CertificateNumber number, @Nullable Place place) implements SnapshotPart {
    static final Schema<SnapshotPull> SCHEMA = items ->
            new SnapshotPull(items.certificate(SnapshotPull::number), items.optional(Place.ITEM, SnapshotPull::place));

    /**
     * Where a chunk begins.
     *
     * @param object the path of the object whose elements are meant; null for the state tree itself
     * @param from the least path that may be in the chunk, in the tree that is meant
     */
    public record Place(@Nullable Hash object, Hash from) {
        static final Item<Place> ITEM =
                Item.array(items -> new Place(items.optional(Item.HASH, Place::object), items.hash(Place::from)));
    }
}
