package org.aspas.certify.wire;

import java.util.List;
import org.aspas.crdt.value.Value;

/** The file that proves a certified value to whoever has the descriptor (docs/formats.md, §20). */
public final class ValueProofFile {
    /** The first number in a file. */
    public static final long LAYOUT = 1;

    private ValueProofFile() {}

    /**
     * The bytes of a file.
     *
     * @param answer the answer, with its certificate and the proof against it
     */
    public static byte[] encode(Read read, Answer answer) {
        return Codec.encodeValue(Value.sequence(
                List.of(Value.of(LAYOUT), Value.of(Codec.encode(read)), Value.of(Codec.encode(answer)))));
    }
}
