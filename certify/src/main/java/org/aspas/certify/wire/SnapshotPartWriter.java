package org.aspas.certify.wire;


/** Writes the messages in which the certified state travels. {@link SnapshotPartReader} is its mirror. */
final class SnapshotPartWriter {
    static final int WHOLE = 1;
    static final int OF_ELEMENTS = 2;
    static final int ELEMENT = 3;
    static final int OF_CLIENT = 4;

    private final CborWriter out;
    private final MessageWriter messages;

    SnapshotPartWriter(CborWriter out, MessageWriter messages) {
        this.out = out;
        this.messages = messages;
    }

    /** Writes the whole array of a message but for its end. */
    void message(Message message) {
        if (message instanceof SnapshotPull pull) {
            messages.open(pull, 2).integer(pull.number().value());
            messages.optional(pull.place(), this::place);
        } else if (message instanceof SnapshotHead head) {
            messages.open(head, 2);
            messages.optional(head.certificate(), messages::message);
            out.list(head.logs(), this::logEnd);
        } else if (message instanceof SnapshotChunk chunk) {
            messages.open(chunk, 4).integer(chunk.number().value());
            place(chunk.place());
            messages.optional(chunk.proof(), new StateProofWriter(out, messages)::pageProof);
            out.list(chunk.leaves(), this::leaf);
        } else {
            throw new IllegalStateException("no encoding of " + message.kind());
        }
    }

    private void place(SnapshotPull.Place place) {
        out.array(2);
        messages.optional(place.object(), out::hash);
        out.hash(place.from()).end();
    }

    private void logEnd(SnapshotHead.LogEnd end) {
        out.array(2).hashes(end.peaks());
        messages.optional(end.last(), this::included);
        out.end();
    }

    private void included(BrokenEntry.Included included) {
        out.array(2).binary(included.bytes());
        messages.inclusionProof(included.proof());
        out.end();
    }

    void leaf(SnapshotLeaf leaf) {
        if (leaf instanceof SnapshotLeaf.Whole whole) {
            out.array(4).integer(WHOLE).text(whole.key()).text(whole.type()).value(whole.state());
        } else if (leaf instanceof SnapshotLeaf.OfElements object) {
            out.array(6)
                    .integer(OF_ELEMENTS)
                    .text(object.key())
                    .text(object.type())
                    .integer(object.size())
                    .hash(object.root());
            messages.optional(object.elements(), elements -> out.list(elements, this::elementState));
        } else if (leaf instanceof SnapshotLeaf.Element element) {
            out.array(3).integer(ELEMENT).value(element.element()).value(element.state());
        } else if (leaf instanceof SnapshotLeaf.OfClient client) {
            out.array(7)
                    .integer(OF_CLIENT)
                    .client(client.client())
                    .integer(client.session())
                    .integer(client.tolerance())
                    .integer(client.full())
                    .binary(client.rest())
                    .list(client.blocks(), block -> out.list(block, this::counted));
        }
        out.end();
    }

    private void counted(Counted update) {
        out.array(3)
                .integer(update.number())
                .dot(update.dot())
                .hash(update.identity())
                .end();
    }

    private void elementState(SnapshotLeaf.Element element) {
        out.array(2).value(element.element()).value(element.state()).end();
    }
}
