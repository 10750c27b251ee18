package org.aspas.client.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.SummedJournal;
import org.aspas.certify.journal.TailCut;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.port.ClientState;
import org.jspecify.annotations.Nullable;

/**
 * A client's record as a {@link Journal} of what changed. A save writes only that, as one group, so that after a crash the
 * record is the old one or the new one. Not thread-safe.
 */
public final class ClientRecord implements AutoCloseable {
    /** Segments of 64 KiB, items of 4 MiB: a client's record is small, and many may lie on one machine. */
    public static final JournalLimits LIMITS = new JournalLimits(64 << 10, 4 << 20);

    private static final byte[] OWNER = "aspas-client-record\n".getBytes(StandardCharsets.US_ASCII);

    /** What the kinds of items are called, from kind 1 on. */
    private static final List<String> KINDS = List.of("certificates", "requests opened", "requests closed");

    private final SummedJournal journal;
    private @Nullable ClientState state;

    private ClientRecord(SummedJournal journal, @Nullable ClientState state) {
        this.journal = journal;
        this.state = state;
    }

    /**
     * The directory of one of the clients that use the record of one key at the same time.
     *
     * @param number which one, from 1: NAME, NAME.2, NAME.3 and so on
     */
    public static Path directory(Path first, int number) {
        return number == 1 ? first : first.resolveSibling(first.getFileName() + "." + number);
    }

    /**
     * The directories that there are of clients with one record, in the order of their numbers. Somebody may have moved away one
     * between them.
     *
     * @param first the first one's directory, whether it is there or not
     * @throws IOException when the folder they lie in cannot be read
     */
    public static List<Path> directories(Path first) throws IOException {
        Path folder = first.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        TreeSet<Integer> numbers = new TreeSet<>();
        Pattern name =
                Pattern.compile(Pattern.quote(first.getFileName().toString()) + "(?:\\.([2-9]|[1-9][0-9]{1,3}))?");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isDirectory)) {
            for (Path file : files) {
                Matcher found = name.matcher(file.getFileName().toString());
                if (found.matches()) {
                    numbers.add(found.group(1) == null ? 1 : Integer.parseInt(found.group(1)));
                }
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        return numbers.stream().map(number -> directory(first, number)).toList();
    }

    /**
     * Opens the record in these files, or begins one. It closes the files, also when this fails.
     *
     * @throws IOException when it is damaged, of another deployment, or cannot be read or written
     */
    public static ClientRecord open(FileLayer files, Hash deployment, JournalLimits limits) throws IOException {
        boolean old;
        try {
            old = Journal.exists(files);
        } catch (IOException failed) {
            files.close();
            throw failed;
        }
        Journal journal =
                old ? Journal.open(files, owner(deployment), limits) : Journal.create(files, owner(deployment), limits);
        try {
            return new ClientRecord(new SummedJournal(journal, limits), read(journal));
        } catch (IOException failed) {
            journal.close();
            throw failed;
        }
    }

    /**
     * What the record in a directory holds, as a start would find it. No file is changed.
     *
     * @throws org.aspas.certify.journal.JournalDamagedException when it is damaged
     * @throws org.aspas.certify.journal.ForeignJournalException when it is of another deployment
     * @throws IOException when it is of another format, or cannot be read
     */
    public static JournalInspection inspect(Path directory, Hash deployment) throws IOException {
        refuseFormer(directory);
        return JournalInspection.of(
                new DirectoryReader(directory),
                owner(deployment),
                bytes -> ClientRecordItem.read(bytes).map(item -> KINDS.get(bytes[0] - 1)));
    }

    /**
     * Refuses a file in place of the directory.
     *
     * @throws IOException when there is one, which an earlier version wrote
     */
    public static void refuseFormer(Path directory) throws IOException {
        if (Files.isRegularFile(directory)) {
            throw new IOException(directory + ": a record of another format, which this program does not read");
        }
    }

    /** The owner of such a journal (docs/formats.md §14). */
    private static Hash owner(Hash deployment) {
        return Hash.sha256(OWNER, deployment.toBytes());
    }

    private static @Nullable ClientState read(Journal journal) throws IOException {
        Sum sum = new Sum();
        journal.read(
                journal.oldest(),
                (position, bytes) ->
                        ClientRecordItem.read(bytes).ifPresentOrElse(sum::apply, () -> sum.none(position)));
        if (sum.strange >= 0) {
            throw new IOException("the journal's record " + sum.strange + " is no item of a client");
        }
        CertificateNumber certificate = sum.certificate;
        return certificate == null ? null : new ClientState(certificate, List.copyOf(sum.open.values()));
    }

    /** What was saved last; empty when nothing ever was. */
    public Optional<ClientState> state() {
        return Optional.ofNullable(state);
    }

    public TailCut tailCut() {
        return journal.tailCut();
    }

    /**
     * Makes a state durable.
     *
     * @throws IOException when the disk fails; the next save writes this one's changes, too
     */
    public void save(ClientState next) throws IOException {
        changes(state == null ? ClientState.FRESH : state, next).forEach(item -> journal.append(item.toBytes()));
        state = next;
        journal.sync();
        journal.shorten(() -> changes(ClientState.FRESH, next).stream()
                .map(ClientRecordItem::toBytes)
                .toList());
    }

    /** What is in both lists is in one order in both, and what is new comes last; any other lists only make more items. */
    private static List<ClientRecordItem> changes(ClientState from, ClientState to) {
        List<ClientRecordItem> opened = new ArrayList<>();
        List<Hash> closed = new ArrayList<>();
        int old = 0;
        for (Signed<ClientSigned> request : to.unconfirmed()) {
            while (old < from.unconfirmed().size()
                    && !from.unconfirmed().get(old).equals(request)) {
                closed.add(from.unconfirmed().get(old++).identity());
            }
            if (old < from.unconfirmed().size()) {
                old++;
            } else {
                opened.add(new ClientRecordItem.Opened(request));
            }
        }
        from.unconfirmed().stream().skip(old).forEach(request -> closed.add(request.identity()));
        List<ClientRecordItem> items = new ArrayList<>();
        items.add(new ClientRecordItem.Newest(to.certificate()));
        if (!closed.isEmpty()) {
            items.add(ClientRecordItem.Closed.of(closed));
        }
        items.addAll(opened);
        return items;
    }

    @Override
    public void close() {
        journal.close();
    }

    /** The state that the items add up to, applied in order. */
    private static final class Sum {
        private final Map<Hash, Signed<ClientSigned>> open = new LinkedHashMap<>();
        private @Nullable CertificateNumber certificate;
        private long strange = -1;

        void apply(ClientRecordItem item) {
            if (item instanceof ClientRecordItem.Newest newest) {
                certificate = newest.certificate();
            } else if (item instanceof ClientRecordItem.Opened opened) {
                open.remove(opened.request().identity()); // A shortened journal says it again, in the right order.
                open.put(opened.request().identity(), opened.request());
            } else if (item instanceof ClientRecordItem.Closed closed) {
                closed.requests().forEach(open::remove);
            }
        }

        void none(long position) {
            strange = strange < 0 ? position : strange;
        }
    }
}
