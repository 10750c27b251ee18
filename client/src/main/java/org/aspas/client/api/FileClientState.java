package org.aspas.client.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.ForeignJournalException;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.TailCut;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.journal.file.DirectoryInUseException;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.port.ClientState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A key's record in directories of its own: journals (docs/formats.md §14), to which a change appends what changed. Each client
 * that runs has one of them, which is locked from {@link #load} to {@link #close}: the first one that is free of NAME, NAME.2,
 * NAME.3 and so on. What a client left in another one that is free goes over to the one that loads. A damaged record is refused,
 * by file and byte. A write that a crash interrupted is cut off, which the log says. Thread-safe.
 */
public final class FileClientState implements ClientStateStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileClientState.class);
    /** How many clients with one record may run at once. */
    private static final int MOST = 1_000;

    private final Path first;
    private final Hash deployment;
    private @Nullable ClientRecord open;
    /** Which of the records is open, from 1. */
    private int number;

    private ClientState last = ClientState.FRESH;

    /**
     * The record in this directory and those beside it, none of which need exist yet.
     *
     * @param deployment the id of the deployment whose client it is ({@code Descriptor.id})
     */
    public FileClientState(Path directory, Hash deployment) {
        this.first = directory;
        this.deployment = deployment;
    }

    @Override
    public synchronized Optional<ClientState> load() {
        close();
        ClientRecord mine = opened();
        try {
            takeOver(mine);
        } catch (IOException failed) {
            close();
            throw refused(failed);
        }
        last = mine.state().orElse(ClientState.FRESH);
        return mine.state();
    }

    /**
     * What was loaded or saved last, also after {@link #close}: other clients with this key may have taken it over from the files
     * since.
     */
    public synchronized ClientState last() {
        return last;
    }

    private Path directory(int number) {
        return ClientRecord.directory(first, number);
    }

    /** Takes over what clients left that run no more. A crash in between leaves it in both: the same bytes, which count once. */
    private void takeOver(ClientRecord mine) throws IOException {
        for (Path other : ClientRecord.directories(first)) {
            if (!other.equals(directory(number))) {
                takeOver(mine, other);
            }
        }
    }

    private void takeOver(ClientRecord mine, Path directory) throws IOException {
        try (ClientRecord left = record(directory)) {
            ClientState theirs = left.state().orElse(ClientState.FRESH);
            if (!theirs.unconfirmed().isEmpty()) {
                ClientState own = mine.state().orElse(ClientState.FRESH);
                Map<Hash, Signed<ClientSigned>> all = new LinkedHashMap<>();
                own.unconfirmed().forEach(request -> all.put(request.identity(), request));
                theirs.unconfirmed().forEach(request -> all.putIfAbsent(request.identity(), request));
                mine.save(new ClientState(own.certificate(), List.copyOf(all.values())));
                left.save(new ClientState(theirs.certificate(), List.of()));
            }
        } catch (DirectoryInUseException running) {
            LOG.debug("{} is another client's, which runs", directory);
        } catch (JournalDamagedException damaged) {
            LOG.warn(
                    "{} is damaged, and what a client left there is not sent again: {}",
                    directory,
                    damaged.getMessage());
        }
    }

    @Override
    public synchronized void save(ClientState record) {
        ClientRecord present = open;
        try {
            (present == null ? opened() : present).save(record);
            last = record;
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    first + " cannot be written: " + failed.getMessage() + "; the update that was begun is given up",
                    failed);
        }
    }

    /** What the last {@link #load} cut off: the rest of a write that was interrupted; none before. */
    public synchronized Optional<TailCut> tailCut() {
        ClientRecord present = open;
        return Optional.ofNullable(present).map(ClientRecord::tailCut).filter(cut -> cut.bytes() > 0);
    }

    private ClientRecord opened() {
        try {
            ClientRecord opened = free();
            open = opened;
            tailCut()
                    .ifPresent(cut -> LOG.warn(
                            "{}: {} bytes of a write that was interrupted are cut off, from byte {} on",
                            cut.file(),
                            cut.bytes(),
                            cut.offset()));
            return opened;
        } catch (IOException failed) {
            throw refused(failed);
        }
    }

    private ClientRecord free() throws IOException {
        for (number = 1; ; number++) {
            try {
                return record(directory(number));
            } catch (DirectoryInUseException running) {
                if (number == MOST) {
                    throw running;
                }
            }
        }
    }

    private ClientRecord record(Path directory) throws IOException {
        ClientRecord.refuseFormer(directory);
        return ClientRecord.open(DirectoryFiles.open(directory), deployment, ClientRecord.LIMITS);
    }

    private static UncheckedIOException refused(IOException why) {
        String what = why.getMessage();
        if (why instanceof DirectoryInUseException) {
            what += ": " + MOST + " clients at a time have a record beside it; wait until one ends";
        } else if (why instanceof JournalDamagedException) {
            what += ". What was unconfirmed would not be sent again: put back a copy of the record, however old, or"
                    + " move it away to go on without";
        } else if (why instanceof ForeignJournalException) {
            what += ": use another key, or the deployment that it was made for";
        }
        return new UncheckedIOException("the client's record cannot be used: " + what, why);
    }

    /** Lets another client use the record. */
    @Override
    public synchronized void close() {
        ClientRecord present = open;
        open = null;
        if (present != null) {
            present.close();
        }
    }
}
