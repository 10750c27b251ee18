package org.aspas.appserver.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseStoreTest {
    @TempDir
    Path directory;

    @Test
    void batchesSurviveAProcessThatNeitherFlushesNorCloses() throws IOException {
        Path copy = directory.resolve("copy");
        try (BaseStore store = BaseStore.open(directory.resolve("base"))) {
            put(store, "a1", "one", "a2", "two");
            put(store, "a2", "TWO", "b", "three");
            copy(directory.resolve("base"), copy);
        }
        try (BaseStore killed = BaseStore.open(copy)) {
            assertThat(text(killed, "a1")).isEqualTo("one");
            assertThat(scan(killed, "a")).containsExactly("a1=one", "a2=TWO");
            assertThat(killed.get("none".getBytes(UTF_8))).isEmpty();
        }
    }

    @Test
    void rangesGoAndAScanStopsWhenItHasSeenEnough() throws IOException {
        try (BaseStore store = BaseStore.open(directory)) {
            put(store, "a", "1", "b1", "2", "b2", "3", "c", "4");
            List<String> seen = new ArrayList<>();
            store.scan(new byte[0], (key, value) -> {
                seen.add(new String(key, UTF_8));
                return seen.size() < 2;
            });
            assertThat(seen).containsExactly("a", "b1");
            try (BaseStore.Batch batch = store.batch()) {
                batch.deleteRange("b".getBytes(UTF_8), "c".getBytes(UTF_8)).write();
            }
            assertThat(scan(store, "")).containsExactly("a=1", "c=4");
        }
    }

    @Test
    void readingChangesNoFile() throws IOException {
        try (BaseStore store = BaseStore.open(directory)) {
            put(store, "a", "1");
        }
        Map<String, FileTime> before = files();
        try (BaseStore store = BaseStore.openToRead(directory)) {
            assertThat(scan(store, "")).containsExactly("a=1");
        }
        assertThat(files()).isEqualTo(before);
        assertThatThrownBy(() -> BaseStore.openToRead(directory.resolve("missing")))
                .isInstanceOf(IOException.class);
        assertThat(directory.resolve("missing")).doesNotExist();
    }

    @Test
    void oneProcessAtATimeAndNothingAfterTheEnd() throws IOException {
        BaseStore store = BaseStore.open(directory);
        assertThatThrownBy(() -> BaseStore.open(directory)).isInstanceOf(IOException.class);
        store.flush();
        store.close();
        store.close();
        assertThatThrownBy(() -> store.get(new byte[1])).isInstanceOf(IOException.class);
        assertThatThrownBy(store::flush).isInstanceOf(IOException.class);
    }

    @Test
    void theKeyAboveAPrefixEndsWhereItDoes() {
        assertThat(BaseStore.after(new byte[] {1, (byte) 0xff})).containsExactly(2);
        assertThat(BaseStore.after(new byte[] {(byte) 0xff})).isEmpty();
        assertThat(BaseStore.after(new byte[] {'e', 0})).containsExactly('e', 1);
    }

    private static void put(BaseStore store, String... keysAndValues) throws IOException {
        try (BaseStore.Batch batch = store.batch()) {
            for (int i = 0; i < keysAndValues.length; i += 2) {
                batch.put(keysAndValues[i].getBytes(UTF_8), keysAndValues[i + 1].getBytes(UTF_8));
            }
            batch.write();
        }
    }

    private static String text(BaseStore store, String key) throws IOException {
        return new String(store.get(key.getBytes(UTF_8)).orElseThrow(), UTF_8);
    }

    private static List<String> scan(BaseStore store, String prefix) throws IOException {
        List<String> found = new ArrayList<>();
        store.scan(prefix.getBytes(UTF_8), (key, value) -> {
            found.add(new String(key, UTF_8) + "=" + new String(value, UTF_8));
            return true;
        });
        return found;
    }

    private Map<String, FileTime> files() throws IOException {
        Map<String, FileTime> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                found.put(file.getFileName() + " " + Files.size(file), Files.getLastModifiedTime(file));
            }
        }
        return found;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** The system's words are those of the process's locale. */
    @Test
    void aMissingFileIsDamageInAnyLanguage() throws IOException {
        String manifest = "While opening a file for sequentially reading: " + directory + "/MANIFEST-100019: ";
        assertThat(BaseStore.namesMissingFile(manifest + "Böyle bir dosya ya da dizin yok", directory.toString()))
                .isTrue();
        Files.createFile(directory.resolve("MANIFEST-100019"));
        assertThat(BaseStore.namesMissingFile(manifest + "Erişim engellendi", directory.toString()))
                .isFalse();
        assertThat(BaseStore.namesMissingFile("null", directory.toString())).isFalse();
    }
}
