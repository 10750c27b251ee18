package org.aspas.client.core;

import java.util.Optional;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ValueProofFile;
import org.aspas.crdt.value.Value;

/**
 * A certified read together with the proof of its value, which anyone with the descriptor can verify ({@link ReadProofCheck}). It can be
 * stored as a file or passed on (docs/formats.md §20). Immutable.
 *
 * @param read the client's question
 * @param answer the server's answer, with its certificate and the proof against that certificate
 */
public record ReadProof(Read read, Answer answer) {
    private static final int PARTS = 3;

    /** Returns the content of the file. */
    public byte[] toBytes() {
        return ValueProofFile.encode(read, answer);
    }

    /** Decodes the content of a file without verifying anything; empty when the bytes are not such a file. */
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

    /** Returns the value that the proof is about. */
    public Value value() {
        return answer.response().message().result();
    }
}
