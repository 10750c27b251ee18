package org.aspas.certify.machine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.crdt.clock.VersionVector;

/** Writes the parts of a snapshot one after the other: fixed-width big-endian numbers and counted bytes. */
final class SnapshotWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void number(long value) {
        bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    void flag(boolean value) {
        bytes.write(value ? 1 : 0);
    }

    void hash(Hash hash) {
        bytes.writeBytes(hash.toBytes());
    }

    /** The components alone: every vector of the machine has N of them. */
    void version(VersionVector version) {
        for (long component : version.toArray()) {
            number(component);
        }
    }

    void message(Message message) {
        counted(Codec.encode(message));
    }

    void counted(byte[] part) {
        number(part.length);
        bytes.writeBytes(part);
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
