package org.aspas.client.core.port;

import java.util.Optional;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ValueProofFile;
import org.aspas.crdt.value.Value;

/**
 * A certified read with all that proves its value to whoever has the descriptor: a file to keep, or to show to others (docs/formats.md,
 * §20). {@link org.aspas.client.core.check.ReadProofCheck} verifies it. Immutable.
 *
 * @param answer the answer, with its certificate and the proof against it
 */
public record ReadProof(Read read, Answer answer) {
    private static final int PARTS = 3;

    public byte[] toBytes() {
        return ValueProofFile.encode(read, answer);
    }

    /** Reads the bytes of a file, of which nothing is verified; empty when they are something else. */
    public static Optional<ReadProof> of(byte[] bytes) {
        if (Codec.decodeValue(bytes) instanceof Decoded.Accepted<Value> decoded
                && decoded.value() instanceof Value.Sequence parts
                && parts.items().size() == PARTS
                && parts.items().get(0).equals(Value.of(ValueProofFile.LAYOUT))
                && parts.items().get(1) instanceof Value.Blob read
                && parts.items().get(2) instanceof Value.Blob answer
                && Codec.decode(read.toBytes(), Read.class) instanceof Decoded.Accepted<Read> asked
                && Codec.decode(answer.toBytes(), Answer.class) instanceof Decoded.Accepted<Answer> answered) {
            return Optional.of(new ReadProof(asked.value(), answered.value()));
        }
        return Optional.empty();
    }

    /** The value that is to be proved. */
    public Value value() {
        return answer.response().message().result();
    }
}
