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
import org.aspas.client.core.ClientState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that keeps a key's records on disk, one directory for each client that runs at the same time. Each directory holds a journal
 * (docs/formats.md §14), to which every save appends what changed. A client locks the first free directory of NAME, NAME.2, NAME.3 and
 * so on from {@link #load} to {@link #close}, and takes over the unconfirmed updates in other free ones, because their clients have
 * ended. A damaged record is refused with its file and byte. The remains of a write that a crash interrupted are cut off and logged.
 * Thread-safe.
 */
public final class FileClientState implements ClientStateStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileClientState.class);
    /** The most clients that may use one name at once. */
    private static final int MOST = 1_000;

    private final Path first;
    private final Hash deployment;
    private @Nullable ClientRecord open;
    /** The number of the directory that is open, from 1. */
    private int number;

    private ClientState last = ClientState.FRESH;

    /**
     * Uses a directory and those with numbers beside it; none of them has to exist yet.
     *
     * @param directory the first directory, NAME
     * @param deployment the id of the deployment that the client belongs to ({@code Descriptor.id})
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
     * Returns the state that was loaded or saved most recently, even after {@link #close}, when other clients with this key may have
     * taken it over from the files.
     */
    public synchronized ClientState last() {
        return last;
    }

    private Path directory(int number) {
        return ClientRecord.directory(first, number);
    }

    /** Takes over what ended clients left. A crash in between leaves it in both records, with the same bytes, so it still counts once. */
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

    /** Returns what the last {@link #load} cut off as the remains of an interrupted write; empty if nothing was cut off. */
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

    /** Releases the record, so that another client can use it. */
    @Override
    public synchronized void close() {
        ClientRecord present = open;
        open = null;
        if (present != null) {
            present.close();
        }
    }
}
