package org.aspas.client.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.CheckpointedJournal;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.TailCut;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientState;
import org.jspecify.annotations.Nullable;

/**
 * A client's record, stored as a {@link Journal} of its changes. A save appends the changes as one group, so a crash leaves either the
 * old or the new record. Not thread-safe.
 */
public final class ClientRecord implements AutoCloseable {
    /** Segments of 64 KiB and items of up to 4 MiB, because a record is small and one machine may hold many. */
    public static final JournalLimits LIMITS = new JournalLimits(64 << 10, 4 << 20);

    private static final byte[] OWNER = "aspas-client-record\n".getBytes(StandardCharsets.US_ASCII);

    /** The names of the kinds of items, from kind 1 on. */
    private static final List<String> KINDS = List.of("certificates", "requests opened", "requests closed");

    private final CheckpointedJournal journal;
    private @Nullable ClientState state;

    private ClientRecord(CheckpointedJournal journal, @Nullable ClientState state) {
        this.journal = journal;
        this.state = state;
    }

    /**
     * Returns the directory of one of the clients that share a key at the same time.
     *
     * @param number the client's number, from 1: NAME, NAME.2, NAME.3 and so on
     */
    public static Path directory(Path first, int number) {
        return number == 1 ? first : first.resolveSibling(first.getFileName() + "." + number);
    }

    /**
     * Returns the existing directories of clients that share a key, in the order of their numbers. There may be gaps.
     *
     * @param first the directory with number 1, whether it exists or not
     * @throws IOException when the folder that contains them cannot be read
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
     * Opens the record in these files, or creates one. The record closes the files, and so does a failure of this method.
     *
     * @throws IOException when the record is damaged, belongs to another deployment, or cannot be read or written
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
            return new ClientRecord(new CheckpointedJournal(journal, limits), read(journal));
        } catch (IOException failed) {
            journal.close();
            throw failed;
        }
    }

    /**
     * Inspects the record in a directory as a client would read it at its start, without changing any file.
     *
     * @throws org.aspas.certify.journal.JournalDamagedException when the record is damaged
     * @throws org.aspas.certify.journal.ForeignJournalException when it belongs to another deployment
     * @throws IOException when it has another format or cannot be read
     */
    public static JournalInspection inspect(Path directory, Hash deployment) throws IOException {
        refuseFormer(directory);
        return JournalInspection.of(
                new DirectoryReader(directory),
                owner(deployment),
                bytes -> ClientRecordItem.read(bytes).map(item -> KINDS.get(bytes[0] - 1)));
    }

    /**
     * Refuses the record of an earlier version, which was a file instead of a directory.
     *
     * @throws IOException when there is such a file
     */
    public static void refuseFormer(Path directory) throws IOException {
        if (Files.isRegularFile(directory)) {
            throw new IOException(directory + ": a record of another format, which this program does not read");
        }
    }

    /** Returns the owner of the journal for a deployment (docs/formats.md §14). */
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

    /** Returns the state that was saved most recently; empty if none ever was. */
    public Optional<ClientState> state() {
        return Optional.ofNullable(state);
    }

    public TailCut tailCut() {
        return journal.tailCut();
    }

    /**
     * Makes a state durable.
     *
     * @throws IOException when the disk fails; the next save then writes these changes too
     */
    public void save(ClientState next) throws IOException {
        changes(state == null ? ClientState.FRESH : state, next).forEach(item -> journal.append(item.toBytes()));
        state = next;
        journal.sync();
        journal.shorten(() -> changes(ClientState.FRESH, next).stream()
                .map(ClientRecordItem::toBytes)
                .toList());
    }

    /** Returns the items that turn one state into another. They are few if common requests keep their order and new ones come last. */
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

    /** Applies items in order and holds the resulting state. */
    private static final class Sum {
        private final Map<Hash, Signed<ClientSigned>> open = new LinkedHashMap<>();
        private @Nullable CertificateNumber certificate;
        private long strange = -1;

        void apply(ClientRecordItem item) {
            if (item instanceof ClientRecordItem.Newest newest) {
                certificate = newest.certificate();
            } else if (item instanceof ClientRecordItem.Opened opened) {
                open.remove(opened.request().identity()); // A shortened journal repeats it in the right order.
                open.put(opened.request().identity(), opened.request());
            } else if (item instanceof ClientRecordItem.Closed closed) {
                closed.requests().forEach(open::remove);
            }
        }

        void none(long position) {
            strange = strange < 0 ? position : strange;
        }
    }

    /** A change of a client's record, encoded as one record of its journal: a kind of 1 byte, and its parts (docs/formats.md §14). */
    private sealed interface ClientRecordItem {
        byte[] toBytes();

        /** Decodes an item; empty if the bytes are not one. */
        static Optional<ClientRecordItem> read(byte[] bytes) {
            if (bytes.length == 0) {
                return Optional.empty();
            }
            ByteBuffer parts = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
            return switch (bytes[0]) {
                case Newest.KIND -> Newest.read(parts);
                case Opened.KIND -> Opened.read(parts);
                case Closed.KIND -> Closed.read(parts);
                default -> Optional.empty();
            };
        }

        /**
         * The first item of every save.
         *
         * @param certificate the highest number of a certificate that was verified
         */
        record Newest(CertificateNumber certificate) implements ClientRecordItem {
            static final byte KIND = 1;

            @Override
            public byte[] toBytes() {
                return ByteBuffer.allocate(1 + Long.BYTES)
                        .put(KIND)
                        .putLong(certificate.value())
                        .array();
            }

            private static Optional<ClientRecordItem> read(ByteBuffer parts) {
                return parts.remaining() == Long.BYTES
                        ? Optional.of(new Newest(new CertificateNumber(parts.getLong())))
                        : Optional.empty();
            }
        }

        /** A request, byte for byte as signed, is unconfirmed from now on. */
        record Opened(Signed<ClientSigned> request) implements ClientRecordItem {
            static final byte KIND = 2;

            @Override
            public byte[] toBytes() {
                byte[] signed = Codec.encode(request);
                return ByteBuffer.allocate(1 + signed.length)
                        .put(KIND)
                        .put(signed)
                        .array();
            }

            private static Optional<ClientRecordItem> read(ByteBuffer parts) {
                byte[] bytes = new byte[parts.remaining()];
                parts.get(bytes);
                if (Codec.decodeSigned(bytes, Request.class) instanceof Decoded.Accepted<Signed<Request>> accepted) {
                    Signed<Request> signed = accepted.value();
                    return Optional.of(
                            new Opened(new Signed<>(signed.message(), signed.payload(), signed.signature())));
                }
                return Optional.empty();
            }
        }

        /** The requests with these identities are no longer open. */
        record Closed(List<Hash> requests) implements ClientRecordItem {
            static final byte KIND = 3;

            static Closed of(Collection<Hash> requests) {
                return new Closed(List.copyOf(requests));
            }

            @Override
            public byte[] toBytes() {
                ByteBuffer bytes =
                        ByteBuffer.allocate(1 + requests.size() * Hash.LENGTH).put(KIND);
                requests.forEach(request -> bytes.put(request.toBytes()));
                return bytes.array();
            }

            private static Optional<ClientRecordItem> read(ByteBuffer parts) {
                if (parts.remaining() % Hash.LENGTH != 0) {
                    return Optional.empty();
                }
                List<Hash> requests = new ArrayList<>();
                while (parts.hasRemaining()) {
                    byte[] request = new byte[Hash.LENGTH];
                    parts.get(request);
                    requests.add(Hash.of(request));
                }
                return Optional.of(new Closed(requests));
            }
        }
    }
}
