package org.aspas.bftcluster.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.CheckpointedJournal;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.TailCut;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.replica.RecordState;

/**
 * A replica's durable record as a {@link Journal} of items. {@link #append} only takes an item; {@link #sync} makes all that
 * were taken durable at once. When the files have grown by two segments, their items are written again in few, and the files
 * before these are deleted. Not thread-safe.
 */
public final class DurableRecord implements AutoCloseable {
    /** Segments of 4 MiB, items of 1 MiB: an item is a few kilobytes. */
    public static final JournalLimits LIMITS = new JournalLimits(4 << 20, 1 << 20);

    /** The directory of the journal, in the one of the bftserver's data. */
    public static final String DIRECTORY = "journal";

    private static final byte[] OWNER = "aspas-bftserver-record\n".getBytes(StandardCharsets.US_ASCII);
    /** The file of a format that is not read any more. */
    private static final String FORMER = "notary.record";

    /** What the kinds of items are called, from kind 1 on. */
    private static final List<String> KINDS = List.of("complete", "epochs", "accepted", "committed", "signed");

    private final CheckpointedJournal journal;
    private final RecordState state = new RecordState();
    private final List<RecordItem> unsynced = new ArrayList<>();

    private boolean closed;

    private DurableRecord(CheckpointedJournal journal) {
        this.journal = journal;
    }

    /**
     * Makes the record of a new deployment in these files, which it closes. It says that nothing was promised before it: so one that is not
     * there later was lost.
     *
     * @throws IOException when there is one already, or it cannot be written
     */
    public static void make(FileLayer files, Hash deployment, int replica, JournalLimits limits) throws IOException {
        try (Journal journal = Journal.create(files, owner(deployment, replica), limits)) {
            journal.append(RecordItem.FIRST_DAY.toBytes());
            journal.sync();
        }
    }

    /**
     * Opens the record in the directory of a bftserver's data; directories are made when they are missing. Where there is none, it was lost:
     * an empty one begins, which is complete when others have taught the replica.
     *
     * @throws RecordUnusableException when it is damaged, of another deployment or replica, in use, or cannot be read or
     *     written
     */
    public static DurableRecord open(Path data, Hash deployment, int replica) throws RecordUnusableException {
        Path directory = data.resolve(DIRECTORY);
        FileLayer files;
        try {
            refuseFormer(data);
            files = DirectoryFiles.open(directory);
        } catch (IOException failed) {
            throw RecordUnusableException.of(failed);
        }
        return open(files, deployment, replica, LIMITS);
    }

    /**
     * Opens the record in these files, or begins an empty one, as above. The record closes the files, also when it cannot be opened.
     *
     * @throws RecordUnusableException when it is damaged, of another deployment or replica, or cannot be read or written
     */
    public static DurableRecord open(FileLayer files, Hash deployment, int replica, JournalLimits limits)
            throws RecordUnusableException {
        try {
            Hash owner = owner(deployment, replica);
            boolean old = exists(files);
            Journal journal = old ? Journal.open(files, owner, limits) : Journal.create(files, owner, limits);
            return read(journal, limits);
        } catch (IOException failed) {
            throw RecordUnusableException.of(failed);
        }
    }

    /**
     * What the record in the directory of a bftserver's data holds, as {@link #open} would find it. No file is changed.
     *
     * @throws org.aspas.certify.journal.JournalDamagedException when it is damaged
     * @throws org.aspas.certify.journal.ForeignJournalException when it is of another deployment or replica
     * @throws IOException when it is of another format, or cannot be read
     */
    public static JournalInspection inspect(Path data, Hash deployment, int replica) throws IOException {
        refuseFormer(data);
        return inspect(new DirectoryReader(data.resolve(DIRECTORY)), deployment, replica);
    }

    public static JournalInspection inspect(FileLayer files, Hash deployment, int replica) throws IOException {
        return JournalInspection.of(
                files,
                owner(deployment, replica),
                bytes -> RecordItem.read(bytes).map(item -> KINDS.get(bytes[0] - 1)));
    }

    private static void refuseFormer(Path data) throws IOException {
        Path former = data.resolve(FORMER);
        if (Files.exists(former)) {
            throw new IOException(former + ": a record of another format, which this program does not read");
        }
    }

    private static boolean exists(FileLayer files) throws IOException {
        try {
            return Journal.exists(files);
        } catch (IOException failed) {
            files.close();
            throw failed;
        }
    }

    private static Hash owner(Hash deployment, int replica) {
        byte[] index = ByteBuffer.allocate(Integer.BYTES).putInt(replica).array();
        return Hash.sha256(OWNER, deployment.toBytes(), index);
    }

    private static DurableRecord read(Journal journal, JournalLimits limits) throws IOException {
        DurableRecord record = new DurableRecord(new CheckpointedJournal(journal, limits));
        List<Long> unknown = new ArrayList<>();
        try {
            journal.read(
                    journal.oldest(),
                    (position, bytes) ->
                            RecordItem.read(bytes).ifPresentOrElse(record.state::apply, () -> unknown.add(position)));
            if (!unknown.isEmpty()) {
                throw new IOException("the journal's record " + unknown.get(0) + " is no item of a bftserver");
            }
            return record;
        } catch (IOException failed) {
            journal.close();
            throw failed;
        }
    }

    /** What all durable items amount to; the record's own, not to be changed. */
    public RecordState state() {
        return state;
    }

    public TailCut tailCut() {
        return journal.tailCut();
    }

    /** Takes an item. Nothing is written yet. */
    public void append(RecordItem item) {
        journal.append(item.toBytes());
        unsynced.add(item);
    }

    /**
     * Writes what was taken, so that it survives the end of the process, and perhaps not that of the machine.
     *
     * @throws IOException when that failed; nothing is lost, and {@link #sync} may be tried
     */
    public void write() throws IOException {
        check();
        journal.write();
    }

    /**
     * Makes all items durable that were taken; then they are in {@link #state()}. The bytes that could not be forced are not
     * trusted when it is tried again: after a failed force a system may take them for written.
     *
     * @throws IOException when that failed; nothing is lost, and it may be tried again
     */
    public void sync() throws IOException {
        check();
        journal.sync();
        unsynced.forEach(state::apply);
        unsynced.clear();
        journal.shorten(() -> state.items().stream().map(RecordItem::toBytes).toList());
    }

    private void check() throws IOException {
        if (closed) {
            throw new IOException("the record is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        journal.close();
    }
}
