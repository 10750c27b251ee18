package org.aspas.certify.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The journal on a real file system of 2 MB that is full and freed, and read-only and back, without a restart. Needs root and
 * {@code -Daspas.small-fs=DIR}, where a tmpfs of this size is mounted (docs/durability.md).
 */
@EnabledIfSystemProperty(named = "aspas.small-fs", matches = ".+")
class SmallFileSystemTest {
    private static final JournalLimits LIMITS = new JournalLimits(64 << 10, 4096);

    private final Path root = Path.of(System.getProperty("aspas.small-fs", ""));
    private final List<Long> taken = new ArrayList<>();

    private static void mounted(String how, Path where) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("mount", "-o", "remount," + how, where.toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    private void append(Journal journal) {
        taken.add(
                journal.append(ByteBuffer.allocate(1000).putLong(journal.next()).array()));
    }

    private void allThere() throws IOException {
        List<Long> found = new ArrayList<>();
        try (Journal journal = Journal.open(DirectoryFiles.open(root.resolve("journal")), Hash.ZERO, LIMITS)) {
            journal.read(
                    0, (position, record) -> found.add(ByteBuffer.wrap(record).getLong()));
        }
        assertThat(found).isEqualTo(taken);
    }

    @Test
    void aFullOneThatIsFreedAndAReadOnlyOneThatIsWritableAgainLoseNothing() throws Exception {
        Path ballast = root.resolve("ballast");
        Files.write(ballast, new byte[1 << 20]);
        try (Journal journal = Journal.create(DirectoryFiles.open(root.resolve("journal")), Hash.ZERO, LIMITS)) {
            assertThatThrownBy(() -> {
                        while (true) {
                            append(journal);
                            journal.sync();
                        }
                    })
                    .isInstanceOf(IOException.class);
            append(journal);
            assertThatThrownBy(journal::sync).isInstanceOf(IOException.class);
            assertThat(journal.synced()).isLessThan(journal.next());
            Files.delete(ballast);
            journal.sync();
            assertThat(journal.synced()).isEqualTo(journal.next());
        }
        allThere();
        mounted("ro", root);
        assertThatThrownBy(this::allThere).isInstanceOf(IOException.class);
        mounted("rw", root);
        allThere();
    }
}
