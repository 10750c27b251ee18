package org.aspas.certify.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalLimits;
import org.junit.jupiter.api.Assumptions;
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

    /** POSIX drops all locks that a process has on a file when it closes any descriptor of that file. */
    @Test
    void whoeverLooksInTheSameProcessLeavesTheLockThere() throws Exception {
        assertThat(ofAnotherProcess()).isEqualTo("taken");
        try (DirectoryFiles files = DirectoryFiles.open(store())) {
            assertThat(files.names()).contains(DirectoryFiles.LOCK);
            assertThat(ofAnotherProcess()).isEqualTo("in use");
            assertThatThrownBy(() -> DirectoryFiles.open(store())).isInstanceOf(DirectoryInUseException.class);
            Path link = Files.createSymbolicLink(directory.resolve("link"), store());
            assertThatThrownBy(() -> DirectoryFiles.open(link)).isInstanceOf(DirectoryInUseException.class);
            assertThat(DirectoryReader.inUse(store())).isTrue();
            assertThat(DirectoryReader.inUse(link)).isTrue();
            assertThat(ofAnotherProcess()).isEqualTo("in use");
        }
        assertThat(DirectoryReader.inUse(store())).isFalse();
        assertThat(ofAnotherProcess()).isEqualTo("taken");
    }

    /** Somebody else's code in this process, such as this class once more from another class loader. */
    @Test
    void aLockOfOtherCodeInThisProcessStaysToo() throws Exception {
        DirectoryFiles.open(store()).close();
        try (FileChannel other = FileChannel.open(store().resolve(DirectoryFiles.LOCK), StandardOpenOption.WRITE)) {
            assertThat(other.tryLock()).isNotNull();
            assertThatThrownBy(() -> DirectoryFiles.open(store())).isInstanceOf(DirectoryInUseException.class);
            assertThat(DirectoryReader.inUse(store())).isTrue();
            assertThat(ofAnotherProcess()).isEqualTo("in use");
        }
    }

    private String ofAnotherProcess() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherUser.class.getName(),
                        store().toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed.strip();
    }

    /** Another process that takes a directory, and gives it back. */
    static final class OtherUser {
        private OtherUser() {}

        /** Says what became of it. */
        public static void main(String[] arguments) throws IOException {
            try (DirectoryFiles taken = DirectoryFiles.open(Path.of(arguments[0]))) {
                System.out.println(taken.names().isEmpty() ? "empty" : "taken");
            } catch (DirectoryInUseException running) {
                System.out.println("in use");
            }
        }
    }

    @Test
    void whatIsMadeIsForItsOwnerAlone() throws IOException {
        DirectoryFiles.open(store().resolve("journal")).close();
        for (Path made : List.of(store(), store().resolve("journal"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void ofSeveralWhoGiveAFileItsNameOneSucceeds() throws IOException {
        try (NewFiles files = NewFiles.in(store(), FileAccess.OWNER, name -> name.contains("key"))) {
            files.create("key.1").close();
            files.create("key.2").close();
            files.rename("key.1", "key");
            assertThatThrownBy(() -> files.rename("key.2", "key")).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(files.names()).containsExactlyInAnyOrder("key", "key.2");
            files.create("open").close();
            assertThat(Files.getPosixFilePermissions(store().resolve("open")))
                    .doesNotContain(PosixFilePermission.OTHERS_WRITE, PosixFilePermission.GROUP_WRITE);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store().resolve("key"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void marksAreNeverZeroNorEqual() throws IOException {
        try (DirectoryFiles files = DirectoryFiles.open(store())) {
            assertThat(files.freshMark()).isNotZero().isNotEqualTo(files.freshMark());
        }
    }

    /** The system does not say which file has no room for what is written. */
    @Test
    void aFileWithoutRoomIsNamed() throws Exception {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full));
        try (FileLayer.OpenFile file = new ChannelFile(full, FileChannel.open(full, StandardOpenOption.WRITE))) {
            assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageStartingWith("/dev/full: ");
        }
    }
}
