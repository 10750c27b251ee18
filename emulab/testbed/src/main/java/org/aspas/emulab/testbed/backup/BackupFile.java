package org.aspas.emulab.testbed.backup;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Set;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;

/**
 * A backup as a file (docs/formats.md, §17): the deployment's descriptor, the head of a snapshot, and its parts, one after
 * another, and a hash of all that. Nothing in it is secret but the data itself. Not thread-safe.
 */
public final class BackupFile implements AutoCloseable {
    private static final byte[] FIRST = "aspas-backup 1\n".getBytes(StandardCharsets.US_ASCII);
    /** A part has 256 KiB and one leaf more, and a leaf fits into a link's frame. */
    private static final int MOST_BYTES = 128 << 20;

    /** A file is no backup, or was changed or cut; the message is one line for the user. */
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message);
        }
    }

    private final Path file;
    private final MessageDigest digest;
    private final DataInputStream in;
    private final Descriptor descriptor;
    private final PublicKey operator;
    private final SnapshotHead head;

    private BackupFile(Path file, InputStream bytes) throws IOException, Unreadable {
        this.file = file;
        this.digest = sha256();
        this.in = new DataInputStream(new DigestInputStream(new BufferedInputStream(bytes, 1 << 16), digest));
        try {
            if (!Arrays.equals(in.readNBytes(FIRST.length), FIRST)) {
                throw new Unreadable(file + " is no backup that this version of the program reads");
            }
            DescriptorFile signed = new DescriptorFile(part(), part());
            this.operator = PublicKey.read(part())
                    .orElseThrow(() -> new Unreadable(file + " holds no key of an operator of 32 bytes"));
            this.descriptor = signed.open(operator);
            this.head = message(part(), SnapshotHead.class);
        } catch (DescriptorFile.InvalidDescriptor invalid) {
            throw new Unreadable(file + ": its descriptor: " + invalid.getMessage());
        } catch (EOFException cut) {
            throw cut(cut);
        }
    }

    /**
     * Opens a backup and reads its descriptor, which its operator's key has signed, and its head, of which nothing is verified.
     *
     * @throws Unreadable when it is none
     */
    public static BackupFile open(Path file) throws IOException, Unreadable {
        InputStream bytes = Files.newInputStream(file);
        try {
            return new BackupFile(file, bytes);
        } catch (IOException | Unreadable failed) {
            bytes.close();
            throw failed;
        }
    }

    public Descriptor descriptor() {
        return descriptor;
    }

    /** The key of that deployment's operator, as the backup names it. */
    public PublicKey operator() {
        return operator;
    }

    /** The head of the snapshot; nothing of it is verified. */
    public SnapshotHead head() {
        return head;
    }

    @FunctionalInterface
    public interface Parts<E extends Exception> {
        /** Takes a part, of which nothing is verified. */
        void take(SnapshotChunk chunk) throws E;
    }

    /**
     * Reads all parts, once.
     *
     * @throws Unreadable when the file was changed or cut; parts were given before that, perhaps
     */
    public <E extends Exception> void read(Parts<E> parts) throws IOException, Unreadable, E {
        try {
            for (byte[] part = part(); part.length > 0; part = part()) {
                parts.take(message(part, SnapshotChunk.class));
            }
            byte[] all = digest.digest();
            if (!Arrays.equals(in.readNBytes(all.length), all) || in.read() >= 0) {
                throw new Unreadable(file + " is not as it was written: its last bytes are not the hash of the others");
            }
        } catch (EOFException cut) {
            throw cut(cut);
        }
    }

    private Unreadable cut(EOFException cut) {
        Unreadable unreadable = new Unreadable(file + " ends too early");
        unreadable.initCause(cut);
        return unreadable;
    }

    private byte[] part() throws IOException, Unreadable {
        int length = in.readInt();
        if (length < 0 || length > MOST_BYTES) {
            throw new Unreadable(file + " holds a part of " + length + " bytes, which no backup has");
        }
        byte[] part = in.readNBytes(length);
        if (part.length < length) {
            throw new EOFException();
        }
        return part;
    }

    private <M extends Message> M message(byte[] bytes, Class<M> type) throws Unreadable {
        return Codec.decode(bytes, type)
                .accepted()
                .orElseThrow(() -> new Unreadable(file + " holds a part that is no " + type.getSimpleName()));
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** Writes a backup. Until {@link #end} it is one that ends too early. Not thread-safe. */
    public static final class Writer implements AutoCloseable {
        private static final Set<StandardOpenOption> REPLACING =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);

        private final MessageDigest digest = sha256();
        private final DataOutputStream out;

        /**
         * Begins a file.
         *
         * @param file where; replaced when it is there, and else made for its owner alone
         */
        public Writer(Path file, DescriptorFile signed, PublicKey operator) throws IOException {
            FileChannel opened = FileChannel.open(file, REPLACING, FileAccess.OWNER.ofFile(file));
            OutputStream bytes =
                    new BufferedOutputStream(new NamedOutput(file, Channels.newOutputStream(opened)), 1 << 16);
            out = new DataOutputStream(new DigestOutputStream(bytes, digest));
            out.write(FIRST);
            part(signed.text());
            part(signed.signature());
            part(operator.toBytes());
        }

        /** Says which file cannot be written, as on a full disk, where the channel says why alone. */
        private static final class NamedOutput extends FilterOutputStream {
            private final Path file;

            NamedOutput(Path file, OutputStream out) {
                super(out);
                this.file = file;
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                try {
                    out.write(bytes, offset, length);
                } catch (IOException full) {
                    throw new FileSystemException(file.toString(), null, full.getMessage());
                }
            }
        }

        /** Writes the encoded head, and then each encoded part. */
        public void write(byte[] encoded) throws IOException {
            part(encoded);
        }

        private void part(byte[] bytes) throws IOException {
            out.writeInt(bytes.length);
            out.write(bytes);
        }

        /** Marks the file as complete, after the last part. */
        public void end() throws IOException {
            out.writeInt(0);
            out.write(digest.digest());
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
