package org.aspas.certify.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal on a real file system. */
class DirectoryFilesTest {
    private static final JournalLimits SMALL = new JournalLimits(4096, 1000);

    @TempDir
    private Path directory;

    private Path store() {
        return directory.resolve("store");
    }

    @Test
    void whatWasSyncedIsThereAgain() throws IOException {
        try (Journal journal = Journal.create(DirectoryFiles.open(store()), Hash.ZERO, SMALL)) {
            for (int i = 0; i < 50; i++) {
                journal.append(new byte[] {(byte) i, 1});
                journal.append(new byte[300]);
                journal.sync();
            }
            journal.dropBelow(30);
        }
        try (Journal journal = Journal.open(DirectoryFiles.open(store()), Hash.ZERO, SMALL)) {
            List<Integer> found = new ArrayList<>();
            journal.read(40, (position, record) -> found.add(record.length == 2 ? (int) record[0] : -1));
            assertThat(found).hasSize(60).startsWith(20, -1, 21).endsWith(49, -1);
            assertThat(journal.tailCut().bytes()).isZero();
            assertThat(journal.oldest()).isPositive();
        }
    }

    @Test
    void everySegmentHasItsWholeLengthFromTheBeginning() throws IOException {
        try (Journal journal = Journal.create(DirectoryFiles.open(store()), Hash.ZERO, SMALL)) {
            assertThat(journal.next()).isZero();
            assertThat(Files.size(store().resolve("journal-0000000000000001"))).isEqualTo(4096);
        }
    }

    @Test
    void oneAtATimeUsesTheDirectory() throws IOException {
        try (DirectoryFiles files = DirectoryFiles.open(store())) {
            assertThat(files.names()).containsExactly(DirectoryFiles.LOCK);
            assertThatThrownBy(() -> DirectoryFiles.open(store())).hasMessageContaining("is in use");
        }
        DirectoryFiles.open(store()).close();
    }

    @Test
    void marksAreNeverZeroNorEqual() throws IOException {
        try (DirectoryFiles files = DirectoryFiles.open(store())) {
            assertThat(files.freshMark()).isNotZero().isNotEqualTo(files.freshMark());
        }
    }
}
