package org.aspas.client.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.aspas.client.core.port.ClientState;

/**
 * A client's record in one text file ({@link ClientStateFormat}). The whole file is written for every change, which suits a
 * person's client and not a heavy load. A damaged file is refused.
 */
public final class FileClientState implements ClientStateStore {
    private final Path file;

    /** The record in this file, which need not exist yet; its directory must. */
    public FileClientState(Path file) {
        this.file = file;
    }

    @Override
    public Optional<ClientState> load() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ClientStateFormat.read(Files.readAllBytes(file)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    @Override
    public void save(ClientState record) {
        try {
            replace(ClientStateFormat.write(record));
        } catch (IOException failed) {
            throw new UncheckedIOException(file + " cannot be written", failed);
        }
    }

    private void replace(byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
