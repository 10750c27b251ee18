package org.aspas.appserver.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.port.LeafStore;
import org.aspas.appserver.port.RestingObjects;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.ForeignJournalException;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.JournalView;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.step.Ticket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An appserver's records in a {@link Journal}, and what is certified in a base beside it. The store is made once, with the server's key, and never again: a server whose
 * store is gone may have signed what nobody can tell it, and is amnesiac. Writing is on a thread of its own.
 */
public final class JournalStore implements EntryStore {
    /** Segments of 4 MiB; a record is no longer than the longest frame. */
    public static final JournalLimits LIMITS = new JournalLimits(4 << 20, (64 << 20) + (1 << 10));

    /** The directory of the journal, in the one of the server's data. */
    public static final String DIRECTORY = "journal";

    private static final Logger LOG = LoggerFactory.getLogger(JournalStore.class);

    private final Journal journal;
    private final StoreState state;
    private final boolean keeps;
    private final JournalWriter writer;
    private final @Nullable LeafFiles leaves;
    private final long start;
    private final @Nullable BaseWriter base;

    private JournalStore(
            Journal journal,
            StoreState state,
            Durability durability,
            JournalWriter writer,
            long start,
            @Nullable BaseWriter base,
            @Nullable LeafFiles leaves) {
        this.leaves = leaves;
        this.journal = journal;
        this.state = state;
        this.keeps = durability != Durability.MEMORY;
        this.writer = writer;
        this.start = start;
        this.base = base;
    }

    /**
     * Makes the store of a new key.
     *
     * @param data the directory of the server's data; made when it is missing
     * @throws IOException when there is one already, or it cannot be written
     */
    public static void make(Path data, StoreOwner owner) throws IOException {
        make(data, owner, store -> {});
    }

    /** Takes the records with which a store begins, one after another; each is written before the next one is made. */
    @FunctionalInterface
    public interface Beginning {
        void take(byte[] record) throws IOException;
    }

    /** Says with which records a store begins. */
    @FunctionalInterface
    public interface FirstRecords<E extends Exception> {
        void write(Beginning store) throws IOException, E;
    }

    /**
     * Makes the store of a new key, which begins with records of the core. Until all of them are durable it does not count as made.
     *
     * @param data the directory of the server's data; made when it is missing
     * @throws IOException when there is one already, or it cannot be written
     */
    public static <E extends Exception> void make(Path data, StoreOwner owner, FirstRecords<E> first)
            throws IOException, E {
        make(DirectoryFiles.open(data.resolve(DIRECTORY)), owner, LIMITS, first);
    }

    /** The same in these files, which it closes, with other limits. */
    public static <E extends Exception> void make(
            FileLayer files, StoreOwner owner, JournalLimits limits, FirstRecords<E> first) throws IOException, E {
        try (Journal journal = Journal.create(files, owner.journal(), limits)) {
            first.write(record -> {
                journal.append(record);
                journal.write();
            });
            journal.append(StoreRecord.founded(owner));
            journal.sync();
        }
    }

    /**
     * Opens the store in a directory of a server's data. Where there is none, or that of another key, nothing is kept, and the
     * state is amnesiac.
     *
     * @throws StoreUnusableException when it is damaged or in use, or cannot be read or written
     */
    public static EntryStore open(Path data, StoreOwner owner, Durability durability) throws StoreUnusableException {
        return open(new StoreOptions(data, durability), owner);
    }

    /** The same, with a bound of the memory for objects. */
    public static EntryStore open(StoreOptions options, StoreOwner owner) throws StoreUnusableException {
        Path data = options.data();
        Path directory = data.resolve(DIRECTORY);
        if (!Files.isDirectory(directory)) {
            return VolatileStore.amnesiac("there is no store in " + data + ", and no server makes one by itself");
        }
        try {
            FileLayer files = DirectoryFiles.open(directory);
            StoreSurroundings around = StoreSurroundings.here().withRoom(options.objectBytes());
            return open(files, Optional.of(data), owner, options.durability(), around);
        } catch (ForeignJournalException foreign) {
            return VolatileStore.amnesiac(foreign.getMessage() + ", or of another key");
        } catch (StoreUnusableException unusable) {
            throw unusable;
        } catch (IOException failed) {
            throw new StoreUnusableException(failed);
        }
    }

    /**
     * What the store in a directory of a server's data holds, as {@link #open} would find it. No file is changed.
     *
     * @throws org.aspas.certify.journal.JournalDamagedException when it is damaged
     * @throws ForeignJournalException when it is of another deployment, server or key
     */
    public static JournalInspection inspect(Path data, StoreOwner owner) throws IOException {
        return inspect(new DirectoryReader(data.resolve(DIRECTORY)), owner);
    }

    /** The same of these files. */
    public static JournalInspection inspect(FileLayer files, StoreOwner owner) throws IOException {
        return JournalInspection.of(files, owner.journal(), RecordKinds::name);
    }

    /**
     * Reads the store in a directory of a server's data. No file is changed.
     *
     * @param use is given what the core keeps there; it can be read only meanwhile
     * @throws org.aspas.certify.journal.JournalDamagedException when it is damaged
     * @throws ForeignJournalException when it is of another deployment, server or key
     * @throws IOException when there is none, or it cannot be read
     */
    public static <T> T read(Path data, StoreOwner owner, Function<StoredHistory, T> use) throws IOException {
        DirectoryReader files = new DirectoryReader(data.resolve(DIRECTORY));
        if (!JournalInspection.isMade(files)) {
            throw new IOException("there is no store in " + data);
        }
        JournalView journal = JournalView.of(files, owner.journal());
        long start = StoreHistory.start(journal);
        try (BaseFiles.Opened base = BaseFiles.read(data, owner)) {
            return use.apply(new Kept(
                    () -> new StoredRecords(journal::segment, start, journal.next()), base::saved, BaseReader.NONE));
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
    }

    /**
     * Opens the store in these files, which it closes, also when it cannot be opened.
     *
     * @param data where its base is; empty for a store without one
     */
    static EntryStore open(
            FileLayer files, Optional<Path> data, StoreOwner owner, Durability durability, StoreSurroundings around)
            throws IOException {
        if (!exists(files)) {
            String where = files.describe("");
            files.close();
            return VolatileStore.amnesiac("the store in " + where + " was not made whole");
        }
        Journal journal = Journal.open(files, owner.journal(), around.limits());
        try {
            StoreHistory history = StoreHistory.of(journal, owner);
            byte[] run = StoreRecord.run(durability, around.boot());
            StoreState state = began(journal, history, durability, around.boot(), run);
            boolean whole = state == StoreState.GOOD;
            BaseWriter base = durability == Durability.MEMORY ? null : base(data, owner, around);
            JournalShortening shortening = new JournalShortening(journal, history.notes(whole ? run : null));
            JournalWriter writer =
                    new JournalWriter(owner.server(), journal, shortening, base, durability, whole, around);
            // Not before the journal is open: another process may use the directory until then.
            LeafFiles leaves = data.isEmpty() ? null : LeafFiles.open(data.get(), owner, durability);
            return new JournalStore(journal, state, durability, writer, history.start(), base, leaves);
        } catch (IOException failed) {
            journal.close();
            throw failed;
        }
    }

    private static @Nullable BaseWriter base(Optional<Path> data, StoreOwner owner, StoreSurroundings around)
            throws IOException {
        if (data.isEmpty()) {
            return null;
        }
        try {
            return new BaseWriter(
                    owner.server(),
                    BaseFiles.open(data.get(), owner),
                    around.room(),
                    around.threads(),
                    System::nanoTime);
        } catch (BaseStore.UnavailableException without) {
            LOG.warn("{} has no base, and keeps all its records: {}", owner.server(), without.getMessage());
            return null;
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

    /** What the store is; if it is good, it is noted how it is used from now on, before anything is promised. */
    private static StoreState began(
            Journal journal, StoreHistory history, Durability durability, String boot, byte[] run) throws IOException {
        StoreState state = history.state(boot);
        if (state == StoreState.GOOD && durability == Durability.MEMORY && !history.unused()) {
            return new StoreState.Amnesiac("it ran before, and with --durability memory it knows nothing of that");
        }
        if (state == StoreState.GOOD) {
            journal.append(run);
            journal.sync();
        }
        return state;
    }

    @Override
    public StoreState state() {
        return state;
    }

    @Override
    public StoredHistory records() {
        return keeps
                ? new Kept(
                        () -> new StoredRecords(journal, start),
                        () -> base == null ? Optional.empty() : base.saved(),
                        base == null ? BaseReader.NONE : base)
                : StoredHistory.of(List.of());
    }

    private record Kept(Iterable<byte[]> records, Supplier<Optional<SavedBase>> saved, BaseReader reader)
            implements StoredHistory {
        @Override
        public Iterator<byte[]> iterator() {
            return records.iterator();
        }

        @Override
        public Optional<SavedBase> base() {
            return saved.get();
        }
    }

    @Override
    public void keep(Effect.Keep image) {
        if (base != null) {
            base.keep(image);
        }
    }

    @Override
    public boolean append(Ticket ticket, byte[] record, Progress progress) {
        if (keeps) {
            writer.write(ticket, record, progress);
        }
        return !keeps;
    }

    @Override
    public LeafStore leaves() {
        return leaves == null || !keeps ? LeafStore.NONE : leaves;
    }

    @Override
    public RestingObjects resting() {
        return base == null ? RestingObjects.NONE : base;
    }

    @Override
    public long tailCutBytes() {
        return journal.tailCut().bytes();
    }

    @Override
    public Optional<String> trouble() {
        return writer.trouble();
    }

    @Override
    public Optional<String> baseTrouble() {
        return base == null ? Optional.empty() : base.trouble();
    }

    @Override
    public CompletionStage<String> failure() {
        return base == null ? writer.failure() : writer.failure().applyToEither(base.failure(), reason -> reason);
    }

    @Override
    public void close() {
        writer.close();
        if (leaves != null) {
            leaves.close();
        }
        if (base != null) {
            base.close();
        }
    }

    /** What the kinds of an appserver's records are called, for people. */
    private static final class RecordKinds {
        private static final Map<Byte, String> NAMES = Map.ofEntries(
                Map.entry(Records.OWN_ENTRY, "own entries"),
                Map.entry(Records.BATCH, "batches"),
                Map.entry(Records.CERTIFICATE, "certificates"),
                Map.entry(Records.START, "starts"),
                Map.entry(Records.EXCLUSION, "exclusions"),
                Map.entry(Records.TAKEN_BACK, "taken back"),
                Map.entry(Records.EVIDENCE, "evidence"),
                Map.entry(Records.CERTIFIED_ENTRIES, "certified entries"),
                Map.entry(Records.AMNESIAC, "amnesia"),
                Map.entry(Records.SNAPSHOT_HEAD, "snapshots begun"),
                Map.entry(Records.SNAPSHOT_CHUNK, "snapshot parts"),
                Map.entry(Records.SNAPSHOT_INSTALLED, "snapshots installed"),
                Map.entry(Records.FOUNDED_FROM, "state of another deployment"),
                Map.entry(Records.SUM, "sums"),
                Map.entry(Records.SUM_END, "ends of sums"),
                Map.entry(Records.REFUSED, "refused clients"),
                Map.entry(StoreRecord.FOUNDED, "founded"),
                Map.entry(StoreRecord.RUN, "runs"),
                Map.entry(StoreRecord.ENDED, "ends"));

        private RecordKinds() {}

        /** The name of a record's kind; empty for bytes that are no record of an appserver. */
        static Optional<String> name(byte[] record) {
            return record.length == 0 ? Optional.empty() : Optional.ofNullable(NAMES.get(record[0]));
        }
    }

    /** The core's records, a segment of the journal in memory at a time. */
    private static final class StoredRecords implements Iterator<byte[]> {
        /** Records of a journal from a position on, as many as are read at once. */
        @FunctionalInterface
        interface Segments {
            List<byte[]> from(long position) throws IOException;
        }

        private final Segments segments;
        private final long end;
        private long next;
        private Iterator<byte[]> segment = List.<byte[]>of().iterator();
        private byte[] record = new byte[0];

        /** Those of a journal that is open, from a position on. */
        StoredRecords(Journal journal, long start) {
            this(journal::segment, start, journal.synced());
        }

        /** Those from one position up to before another. */
        StoredRecords(Segments segments, long start, long end) {
            this.segments = segments;
            this.next = start;
            this.end = end;
        }

        @Override
        public boolean hasNext() {
            while (record.length == 0 && advance()) {
                byte[] read = segment.next();
                record = StoreRecord.is(read) ? record : read;
            }
            return record.length > 0;
        }

        private boolean advance() {
            if (!segment.hasNext() && next < end) {
                try {
                    List<byte[]> read = segments.from(next);
                    next += read.size();
                    segment = read.iterator();
                } catch (IOException failed) {
                    throw new UncheckedIOException(new StoreUnusableException(failed));
                }
            }
            return segment.hasNext();
        }

        @Override
        public byte[] next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            byte[] given = record;
            record = new byte[0];
            return given;
        }
    }
}
