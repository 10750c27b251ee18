package org.aspas.bftcluster.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of the order after an instance: a snapshot and the commands after it. The arrays are not to be changed.
 *
 * @param incarnation what the incarnation of the order is called, see {@link OrderLog#incarnation}
 * @param snapshotPosition the instance after which the snapshot was taken; {@link OrderLog#START} for the first state
 * @param batches the commands of each instance after it, in order
 */
record TransferredState(int incarnation, int snapshotPosition, byte[] snapshot, List<List<byte[]>> batches) {
    private static final int FORMAT = 2;

    /** The instance up to which it goes. */
    int position() {
        return snapshotPosition + batches.size();
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(snapshot.length + 1024);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORMAT);
            out.writeInt(incarnation);
            out.writeInt(snapshotPosition);
            write(out, snapshot);
            out.writeInt(batches.size());
            for (List<byte[]> batch : batches) {
                out.writeInt(batch.size());
                for (byte[] command : batch) {
                    write(out, command);
                }
            }
        } catch (IOException impossible) {
            throw new IllegalStateException("memory cannot be written", impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Reads any bytes; empty when they are no encoding of a state. Allocates no more than the input holds. */
    static Optional<TransferredState> decode(byte[] encoded) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
            if (in.readInt() != FORMAT) {
                return Optional.empty();
            }
            int incarnation = in.readInt();
            int snapshotPosition = in.readInt();
            if (snapshotPosition < OrderLog.START) {
                return Optional.empty();
            }
            byte[] snapshot = read(in);
            List<List<byte[]>> batches = new ArrayList<>();
            int count = length(in);
            for (int i = 0; i < count; i++) {
                List<byte[]> batch = new ArrayList<>();
                int commands = length(in);
                for (int k = 0; k < commands; k++) {
                    batch.add(read(in));
                }
                batches.add(batch);
            }
            return in.available() == 0
                    ? Optional.of(new TransferredState(incarnation, snapshotPosition, snapshot, batches))
                    : Optional.empty();
        } catch (IOException malformed) {
            return Optional.empty();
        }
    }

    private static byte[] read(DataInputStream in) throws IOException {
        byte[] bytes = new byte[length(in)];
        in.readFully(bytes);
        return bytes;
    }

    /** A length or count, which cannot exceed the bytes that are left, as everything counted takes some. */
    private static int length(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("length " + length + " with " + in.available() + " bytes left");
        }
        return length;
    }
}
