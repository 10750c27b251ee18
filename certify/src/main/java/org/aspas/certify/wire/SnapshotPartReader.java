package org.aspas.certify.wire;


/** Reads what {@link SnapshotPartWriter} writes. */
final class SnapshotPartReader {
    private static final int MAX_PEAKS = 64;
    private static final int MAX_LIST = 1 << 16;
    private static final int MAX_BLOCKS = StateLeaves.REMEMBERED_BLOCKS + 1;

    private final CborReader in;
    private final MessageReader messages;

    SnapshotPartReader(CborReader in, MessageReader messages) {
        this.in = in;
        this.messages = messages;
    }

    Message body(Kind kind) throws Malformed {
        return switch (kind) {
            case SNAPSHOT_PULL -> new SnapshotPull(messages.certificateNumber(), messages.optional(this::place));
            case SNAPSHOT_HEAD ->
                new SnapshotHead(
                        messages.optional(messages::certificate), in.list(CborReader.MAX_ORIGINS, this::logEnd));
            case SNAPSHOT_CHUNK ->
                new SnapshotChunk(
                        messages.certificateNumber(),
                        place(),
                        messages.optional(new StateProofReader(in, messages)::pageProof),
                        in.list(MAX_LIST, this::leaf));
            default -> throw new Malformed("not a part of a snapshot");
        };
    }

    private SnapshotPull.Place place() throws Malformed {
        return messages.array(() -> new SnapshotPull.Place(messages.optional(in::hash), in.hash()));
    }

    private SnapshotHead.LogEnd logEnd() throws Malformed {
        return messages.array(() -> new SnapshotHead.LogEnd(in.hashes(MAX_PEAKS), messages.optional(this::included)));
    }

    private BrokenEntry.Included included() throws Malformed {
        return messages.array(() -> new BrokenEntry.Included(in.binary(), messages.inclusionProof()));
    }

    SnapshotLeaf leaf() throws Malformed {
        return messages.array(() -> switch ((int) in.upTo(SnapshotPartWriter.OF_CLIENT)) {
            case SnapshotPartWriter.WHOLE -> new SnapshotLeaf.Whole(in.text(), in.text(), in.value());
            case SnapshotPartWriter.OF_ELEMENTS ->
                new SnapshotLeaf.OfElements(
                        in.text(),
                        in.text(),
                        in.natural(),
                        in.hash(),
                        messages.optional(() -> in.list(MAX_LIST, this::elementState)));
            case SnapshotPartWriter.ELEMENT -> new SnapshotLeaf.Element(in.value(), in.value());
            case SnapshotPartWriter.OF_CLIENT ->
                new SnapshotLeaf.OfClient(
                        messages.client(),
                        in.natural(),
                        in.natural(),
                        in.natural(),
                        in.binary(),
                        in.list(MAX_BLOCKS, () -> in.list(StateLeaves.BLOCK, this::counted)));
            default -> throw new Malformed("no leaf of a snapshot has this number");
        });
    }

    private Counted counted() throws Malformed {
        return messages.array(() -> new Counted(messages.positive(), in.dot(), in.hash()));
    }

    private SnapshotLeaf.Element elementState() throws Malformed {
        return messages.array(() -> new SnapshotLeaf.Element(in.value(), in.value()));
    }
}
