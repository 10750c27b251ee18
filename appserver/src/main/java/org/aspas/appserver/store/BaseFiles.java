package org.aspas.appserver.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.SavedBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of one owner's base: what they hold from before, and a new beginning when that is of no use. For one thread, but for reading. */
final class BaseFiles implements AutoCloseable {
    /** The directory of the base, in the one of the server's data. */
    static final String DIRECTORY = "base";

    static final byte[] HEAD = {'h'};
    /** Version of the layout (1 byte), and whose it is (32). */
    private static final byte[] OWNER = {'o'};

    private static final byte VERSION = 3;
    /** It had all of a client under one key; what changes of such a client is written anew, whole. */
    private static final byte BEFORE = 2;
    /** The first key of images, inclusive. */
    static final byte[] FIRST_KEY = {BaseImage.KEYS};
    /** The end of the keys of images, exclusive. */
    static final byte[] END_OF_KEYS = {BaseImage.LEAVES + 1};

    private static final Logger LOG = LoggerFactory.getLogger(BaseFiles.class);

    private final Path directory;
    private final byte[] owner;
    /** Replaced by the one thread; read by the core, and by those who read ahead for it. */
    private volatile @Nullable BaseStore store;

    private BaseFiles(Path directory, StoreOwner owner) {
        this.directory = directory;
        this.owner = owner(owner);
    }

    private static byte[] owner(StoreOwner owner) {
        return owner(owner, VERSION);
    }

    private static byte[] owner(StoreOwner owner, byte version) {
        byte[] hash = owner.journal().toBytes();
        byte[] bytes = new byte[1 + hash.length];
        bytes[0] = version;
        System.arraycopy(hash, 0, bytes, 1, hash.length);
        return bytes;
    }

    /**
     * Opens the base in a directory of a server's data. One that the engine finds damaged is replaced by an empty one.
     *
     * @throws IOException when it cannot be opened for another reason
     */
    static BaseFiles open(Path data, StoreOwner owner) throws IOException {
        BaseFiles files = new BaseFiles(data.resolve(DIRECTORY), owner);
        try {
            BaseStore store = BaseStore.open(files.directory);
            files.store = store;
            files.raise(store, owner(owner, BEFORE));
        } catch (BaseStore.DamagedException damaged) {
            LOG.warn("the base is damaged, and begins anew: {}", damaged.getMessage());
            files.renew();
        }
        return files;
    }

    /** A base of the layout before is one of this layout in which no client has changed yet. */
    private void raise(BaseStore store, byte[] before) {
        try (BaseStore.Batch batch = store.batch()) {
            if (isOf(store, before)) {
                batch.put(OWNER, owner).write();
            }
        } catch (IOException unreadable) {
            LOG.warn("the base cannot be read: {}", unreadable.getMessage());
        }
    }

    BaseStore store() throws IOException {
        BaseStore open = store;
        if (open == null) {
            throw new IOException("the base in " + directory + " is closed");
        }
        return open;
    }

    /** What the base holds; empty when it is nobody's or somebody else's, or was being replaced when its process ended. */
    Optional<SavedBase> saved() {
        try {
            return saved(store(), isOf(store(), owner));
        } catch (IOException unreadable) {
            LOG.warn("the base cannot be read: {}", unreadable.getMessage());
            return Optional.empty();
        }
    }

    /** What the base in a directory of a server's data holds, without a change to its files. To be closed. */
    static Opened read(Path data, StoreOwner owner) throws IOException {
        Path directory = data.resolve(DIRECTORY);
        if (!BaseStore.exists(directory)) {
            return new Opened(null, Optional.empty());
        }
        BaseStore store = BaseStore.openToRead(directory);
        try {
            return new Opened(store, saved(store, isOf(store, owner(owner)) || isOf(store, owner(owner, BEFORE))));
        } catch (IOException unreadable) {
            store.close();
            throw unreadable;
        }
    }

    /**
     * A base that is only read.
     *
     * @param store the engine; null when there is no base
     */
    record Opened(@Nullable BaseStore store, Optional<SavedBase> saved) implements AutoCloseable {
        @Override
        public void close() {
            if (store != null) {
                store.close();
            }
        }
    }

    private static boolean isOf(BaseStore store, byte[] owner) throws IOException {
        return store.get(OWNER).filter(found -> Arrays.equals(found, owner)).isPresent();
    }

    private static Optional<SavedBase> saved(BaseStore store, boolean ours) throws IOException {
        return ours ? store.get(HEAD).map(head -> new Saved(store, head)) : Optional.empty();
    }

    private record Saved(BaseStore store, byte[] head) implements SavedBase {
        @Override
        public boolean contents(Visitor visitor) {
            try {
                store.scan(FIRST_KEY, END_OF_KEYS, visitor::take);
                return true;
            } catch (IOException unreadable) {
                LOG.warn("the base cannot be read, and is of no use: {}", unreadable.getMessage());
                return false;
            }
        }
    }

    /** Begins anew: what the files hold is of no use. */
    void renew() throws IOException {
        close();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> old = Files.list(directory)) {
                old.forEach(BaseFiles::delete);
            } catch (UncheckedIOException failed) {
                throw failed.getCause();
            }
        }
        BaseStore made = BaseStore.open(directory);
        store = made;
        try (BaseStore.Batch batch = made.batch()) {
            batch.put(OWNER, owner).write();
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        BaseStore open = store;
        store = null;
        if (open != null) {
            open.close();
        }
    }
}
