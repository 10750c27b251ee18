package org.aspas.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.TailCut;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientState;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client's record on real files: saved, killed, cut, damaged, locked, and never longer than it has to be. */
class ClientRecordTest {
    private static final SigningKey KEY = SigningKey.of(new byte[32]);
    private static final Sealer SEALER = new Sealer(KEY, Hash.ZERO);
    private static final JournalLimits SMALL = new JournalLimits(4096, 1 << 20);

    @TempDir
    private Path folder;

    private Path directory;

    @BeforeEach
    void directory() {
        directory = folder.resolve("mine.state");
    }

    private static Signed<ClientSigned> request(long number) {
        Request request = new Request(
                new ClientId(KEY.publicKey()),
                number,
                "counter/visits",
                "pn-counter",
                Operation.of("increment", Value.of(1)));
        Signed<Request> signed = SEALER.seal(request);
        return new Signed<>(request, signed.payload(), signed.signature());
    }

    /** What a client saves that has so many updates open at once. */
    private static List<ClientState> history(int updates, int window, Random random) {
        List<ClientState> states = new ArrayList<>();
        List<Signed<ClientSigned>> open = new ArrayList<>();
        for (int number = 1; number <= updates; number++) {
            open.add(request(number));
            states.add(new ClientState(new CertificateNumber(number / 3), open));
            if (open.size() >= window) {
                int confirmed = 1 + random.nextInt(open.size());
                open.subList(0, confirmed).clear();
                if (!open.isEmpty() && random.nextBoolean()) {
                    open.remove(random.nextInt(open.size()));
                }
                states.add(new ClientState(new CertificateNumber(number / 3), open));
            }
        }
        return states;
    }

    private FileClientState state() {
        return new FileClientState(directory, Hash.ZERO);
    }

    private CountedFiles files() throws IOException {
        return new CountedFiles(DirectoryFiles.open(directory));
    }

    private Path newestSegment() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("journal-"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }

    private static int used(byte[] bytes) {
        int used = bytes.length;
        while (bytes[used - 1] == 0) {
            used--;
        }
        return used;
    }

    @Test
    void whatIsSavedIsLoadedByTheNextProcess() {
        FileClientState state = state();
        assertThat(state.load()).isEmpty();
        state.save(ClientState.FRESH);
        assertThat(state.load()).contains(ClientState.FRESH);
        for (ClientState each : history(60, 5, new Random(1))) {
            state.save(each);
            assertThat(state.load()).contains(each);
        }
        state.close();
        assertThat(state().load()).isPresent();
    }

    @Test
    void aKillInAnyCallLeavesTheOldRecordOrTheNewOne() throws IOException {
        List<ClientState> history = history(40, 6, new Random(2));
        CountedFiles whole = files();
        try (ClientRecord record = ClientRecord.open(whole, Hash.ZERO, SMALL)) {
            for (ClientState each : history) {
                record.save(each);
            }
        }
        assertThat(whole.calls()).isGreaterThan(2 * history.size());
        int older = 0;
        int newer = 0;
        for (int call = 0; call < whole.calls(); call++) {
            directory = folder.resolve("killed-" + call);
            Optional<ClientState> saved = Optional.empty();
            Optional<ClientState> begun = Optional.empty();
            CountedFiles files = files();
            files.endAt(call);
            try (ClientRecord record = ClientRecord.open(files, Hash.ZERO, SMALL)) {
                for (ClientState each : history) {
                    begun = Optional.of(each);
                    record.save(each);
                    saved = begun;
                }
            } catch (CountedFiles.Killed killed) {
                files.close();
            }
            try (ClientRecord record = ClientRecord.open(files(), Hash.ZERO, SMALL)) {
                assertThat(record.state()).as("killed in call %d", call).isIn(saved, begun);
                older += record.state().equals(saved) ? 1 : 0;
                newer += record.state().equals(saved) ? 0 : 1;
            }
        }
        assertThat(List.of(older, newer)).allMatch(count -> count > 0);
    }

    @Test
    void anInterruptedWriteIsCutOffAndSaid() throws IOException {
        List<ClientState> history = history(3, 10, new Random(3));
        CountedFiles files = files();
        ClientRecord record = ClientRecord.open(files, Hash.ZERO, ClientRecord.LIMITS);
        record.save(history.get(0));
        record.save(history.get(1));
        files.endAt(files.calls());
        assertThatThrownBy(() -> record.save(history.get(2))).isInstanceOf(CountedFiles.Killed.class);
        files.close();
        FileClientState next = state();
        assertThat(next.load()).contains(history.get(1));
        TailCut cut = next.tailCut().orElseThrow();
        assertThat(cut.file()).startsWith(directory.toString());
        assertThat(cut.bytes()).isBetween(40L, 400L);
        assertThat(next.load()).contains(history.get(1));
        assertThat(next.tailCut()).isEmpty();
        next.close();
    }

    @Test
    void damageIsNamedWithWhatToDo() throws IOException {
        FileClientState state = state();
        state.load();
        history(3, 10, new Random(4)).forEach(state::save);
        state.close();
        Path newest = newestSegment();
        byte[] whole = Files.readAllBytes(newest);
        // The group at the end of a closed journal only says that all before it is durable.
        for (int at = 0; at < used(whole) - 64; at += 3) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 4;
            Files.write(newest, damaged);
            assertThatThrownBy(state::load)
                    .as("byte %d", at)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContainingAll(newest + ", byte ", "however old");
        }
        Files.write(newest, whole);
        assertThat(state.load().orElseThrow().unconfirmed()).hasSize(3);
        state.close();
    }

    @Test
    void aSecondClientHasARecordBesideAndWhatItLeavesGoesToTheNextOne() {
        List<Signed<ClientSigned>> mine = List.of(request(1), request(2));
        List<Signed<ClientSigned>> theirs = List.of(request(3));
        FileClientState first = state();
        assertThat(first.load()).isEmpty();
        FileClientState second = state();
        assertThat(second.load()).isEmpty();
        first.save(new ClientState(CertificateNumber.FIRST, mine));
        second.save(new ClientState(CertificateNumber.FIRST, theirs));
        FileClientState third = state();
        assertThat(third.load()).as("both run").isEmpty();
        third.close();
        second.close();
        first.close();
        assertThat(folder).isDirectoryContaining("glob:**/mine.state.3");
        assertThat(first.load().orElseThrow().unconfirmed()).containsExactly(request(1), request(2), request(3));
        assertThat(second.load().orElseThrow().unconfirmed()).as("taken over").isEmpty();
        first.close();
        second.close();
    }

    /** Moving a damaged record away is what the message about it proposes. */
    @Test
    void whatIsBehindARecordThatWasMovedAwayIsTakenOver() throws IOException {
        FileClientState first = state();
        first.load();
        FileClientState second = state();
        second.load();
        FileClientState third = state();
        third.load();
        third.save(new ClientState(CertificateNumber.FIRST, List.of(request(1))));
        third.close();
        second.close();
        Files.move(folder.resolve("mine.state.2"), folder.resolve("away"));
        Files.createDirectory(folder.resolve("mine.state.02"));
        Files.writeString(folder.resolve("mine.state.4"), "no directory");
        assertThat(ClientRecord.directories(directory)).containsExactly(directory, folder.resolve("mine.state.3"));
        assertThat(first.load().orElseThrow().unconfirmed()).containsExactly(request(1));
        first.close();
        assertThat(ClientRecord.directories(folder.resolve("none").resolve("x.state")))
                .isEmpty();
    }

    /** Looking for what others left must not drop the lock of the own record: POSIX does so when any descriptor of its file is closed. */
    @Test
    void aRecordThatIsLoadedIsLockedForOtherProcesses() throws IOException {
        Path locks = Path.of("/proc/locks");
        Assumptions.assumeTrue(Files.isReadable(locks), "the system tells its locks");
        FileClientState first = state();
        FileClientState second = state();
        first.load();
        first.save(new ClientState(CertificateNumber.FIRST, List.of(request(1))));
        second.load();
        first.load();
        FileClientState third = state();
        third.load();
        for (String name : List.of("mine.state", "mine.state.2", "mine.state.3")) {
            Object file = Files.getAttribute(folder.resolve(name).resolve(DirectoryFiles.LOCK), "unix:ino");
            assertThat(Files.readAllLines(locks)).as(name).anyMatch(line -> line.contains(":" + file + " "));
        }
        third.close();
        second.close();
        first.close();
    }

    @Test
    void whatWasSavedLastIsKnownAfterTheEnd() {
        FileClientState first = state();
        first.load();
        first.save(new ClientState(CertificateNumber.FIRST, List.of(request(1))));
        first.close();
        FileClientState second = state();
        FileClientState third = state();
        second.load();
        third.load();
        assertThat(first.last().unconfirmed()).containsExactly(request(1));
        assertThat(third.load())
                .as("it has taken nothing of a client that runs")
                .isEmpty();
        assertThat(second.last().unconfirmed()).containsExactly(request(1));
        third.close();
        second.close();
    }

    @Test
    void aDamagedRecordBesideKeepsNobodyFromStarting() throws IOException {
        FileClientState first = state();
        first.load();
        FileClientState second = state();
        second.load();
        history(3, 10, new Random(4)).forEach(second::save);
        second.close();
        first.close();
        Path manifest = folder.resolve("mine.state.2").resolve("journal.manifest");
        byte[] damaged = Files.readAllBytes(manifest);
        damaged[10] ^= 1;
        Files.write(manifest, damaged);
        assertThat(first.load()).isEmpty();
        first.close();
    }

    @Test
    void theRecordOfAnotherDeploymentOrFormatIsRefused() throws IOException {
        FileClientState state = state();
        state.load();
        state.close();
        FileClientState elsewhere = new FileClientState(directory, Hash.sha256(new byte[1]));
        assertThatThrownBy(elsewhere::load).hasMessageContainingAll("another deployment", "use another key");
        Path former = Files.writeString(folder.resolve("former.state"), "aspas client state 2\n");
        assertThatThrownBy(new FileClientState(former, Hash.ZERO)::load).hasMessageContaining("another format");
    }

    /** Another program, or a later version of this one, wrote it: it may say what is to be given again. */
    @Test
    void aRecordWithAnUnknownItemIsRefused() throws IOException {
        byte[] name = "aspas-client-record\n".getBytes(StandardCharsets.US_ASCII);
        Hash owner = Hash.sha256(name, Hash.ZERO.toBytes());
        try (Journal journal = Journal.create(DirectoryFiles.open(directory), owner, ClientRecord.LIMITS)) {
            journal.append(new byte[] {99, 1});
            journal.sync();
        }
        assertThatThrownBy(state()::load).hasMessageContaining("record 0 is no item of a client");
    }

    /** With many open updates a change costs the same as with few, and the files do not grow. */
    @Test
    void aSaveWritesWhatChangedAndTheFilesStayShort() throws IOException {
        int updates = 4000;
        CountedFiles files = files();
        try (ClientRecord record = ClientRecord.open(files, Hash.ZERO, ClientRecord.LIMITS)) {
            long before = files.bytes();
            for (ClientState each : history(updates, 100, new Random(5))) {
                record.save(each);
            }
            double perUpdate = (files.bytes() - before) / (double) updates;
            int signed = request(1).payload().length + request(1).signature().length;
            System.out.printf("a client's record: %.0f bytes written per update of %d bytes%n", perUpdate, signed);
            // Twice, for room is written before records are.
            assertThat(perUpdate).isLessThan(3 * (signed + 120));
            try (Stream<Path> all = Files.list(directory)) {
                assertThat(all.filter(file -> file.getFileName().toString().startsWith("journal-")))
                        .hasSizeLessThanOrEqualTo(4);
            }
        }
        assertThat(state().load().orElseThrow().certificate().value()).isEqualTo(updates / 3);
    }

    @Test
    void aShortProcessManyTimesLeavesFewFiles() throws IOException {
        FileClientState state = state();
        for (ClientState each : history(40, 3, new Random(6))) {
            state.load();
            state.save(each);
            state.close();
        }
        try (Stream<Path> all = Files.list(directory)) {
            assertThat(all).hasSizeLessThanOrEqualTo(6);
        }
    }
}
