package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.replica.RecordState;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record on a real file system: interrupted writes are cut off, damage is refused, nothing durable is lost. */
class DurableRecordTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {3});
    private static final Sealer SEALER = new Sealer(SigningKey.of(DEPLOYMENT.toBytes()), DEPLOYMENT);

    @TempDir
    private Path directory;

    private Path journal() {
        return directory.resolve(DurableRecord.DIRECTORY);
    }

    private static CertificateContent content(long number) {
        return new CertificateContent(
                DEPLOYMENT,
                new CertificateNumber(number),
                Hash.ZERO,
                VersionVector.of(number, 0, 0, 0),
                List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                Hash.ZERO,
                List.of());
    }

    private static List<RecordItem> items(long number) {
        CertificateContent content = content(number);
        byte[] payload = Codec.encode(content);
        Accept accept = new Accept(0, new CertificateNumber(number), 1, Hash.sha256(payload));
        return List.of(
                new RecordItem.AcceptedContent(new CertificateNumber(number), 1, payload),
                new RecordItem.Locked(new ProvenContent(content, payload, List.of(SEALER.seal(accept)))),
                new RecordItem.SignedShare(new Share(0, SEALER.seal(content))));
    }

    private DurableRecord open() throws RecordUnusableException {
        return DurableRecord.open(directory, DEPLOYMENT, 0);
    }

    private static List<String> written(RecordState state) {
        return state.items().stream()
                .map(item -> Hash.sha256(item.toBytes()).toString())
                .toList();
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(journal())) {
            return files.filter(file -> file.getFileName().toString().matches("journal-[0-9a-f]{16}"))
                    .sorted()
                    .toList();
        }
    }

    /** A record of two numbers whose process is killed, and what it holds. */
    private List<String> write() throws IOException {
        try (DurableRecord record = open()) {
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
            record.append(new RecordItem.Opened(new Epoch(1L << 32)));
            for (long number = 1; number <= 2; number++) {
                for (RecordItem item : items(number)) {
                    record.append(item);
                    record.sync();
                }
            }
            return written(record.state());
        }
    }

    /** Made with the deployment, a record is complete; one that begins later is what is left of a lost one. */
    @Test
    void onlyARecordThatWasMadeIsCompleteFromTheFirstDay() throws IOException {
        DurableRecord.make(DirectoryFiles.open(journal()), DEPLOYMENT, 0, DurableRecord.LIMITS);
        try (DurableRecord record = open()) {
            assertThat(record.state().knowing()).isTrue();
            assertThat(written(record.state())).isEqualTo(written(RecordState.ofFirstDay()));
        }
        assertThat(DurableRecord.inspect(directory, DEPLOYMENT, 0).kinds()).isEqualTo(Map.of("complete", 1L));
        assertThatThrownBy(
                        () -> DurableRecord.make(DirectoryFiles.open(journal()), DEPLOYMENT, 0, DurableRecord.LIMITS))
                .isInstanceOf(IOException.class);
        try (DurableRecord lost = DurableRecord.open(directory.resolve("elsewhere"), DEPLOYMENT, 0)) {
            assertThat(lost.state().knowing()).isFalse();
        }
        try (DurableRecord still = DurableRecord.open(directory.resolve("elsewhere"), DEPLOYMENT, 0)) {
            assertThat(still.state().knowing()).as("at a second start").isFalse();
        }
    }

    @Test
    void whatIsAppendedAndSyncedIsThereAgain() throws IOException {
        List<String> before;
        try (DurableRecord record = open()) {
            assertThat(record.state().knowing()).isFalse();
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
            items(1).forEach(record::append);
            assertThat(record.state().knowing()).as("it is not durable yet").isFalse();
            record.sync();
            before = written(record.state());
        }
        try (DurableRecord record = open()) {
            assertThat(record.state().knowing()).isTrue();
            assertThat(record.tailCut().bytes()).isZero();
            assertThat(written(record.state())).isEqualTo(before);
            assertThat(record.state().share(CertificateNumber.FIRST)).isPresent();
            items(2).forEach(record::append);
            record.sync();
        }
        try (DurableRecord record = open()) {
            assertThat(record.state().newest().value()).isEqualTo(2);
        }
    }

    @Test
    void anUnfinishedWriteIsCutOffAndSaid() throws IOException {
        List<String> before = write();
        Path newest = segments().get(segments().size() - 1);
        byte[] file = Files.readAllBytes(newest);
        // The closing group is the last thing that was written, and nothing proves that it was forced.
        int used = file.length;
        while (file[used - 1] == 0) {
            used--;
        }
        file[used - 1] ^= 1;
        Files.write(newest, file);
        try (DurableRecord record = open()) {
            assertThat(record.tailCut().bytes()).isPositive();
            assertThat(record.tailCut().file()).isEqualTo(newest.toString());
            assertThat(written(record.state())).isEqualTo(before);
        }
    }

    @Test
    void aDamagedFileIsRefusedByItsNameOrHoldsTheSame() throws IOException {
        List<String> before = write();
        Random random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            List<Path> files = new ArrayList<>(segments());
            files.add(journal().resolve("journal.manifest"));
            Path which = files.get(random.nextInt(files.size()));
            byte[] whole = Files.readAllBytes(which);
            byte[] damaged = whole.clone();
            damaged[random.nextInt(Math.min(whole.length, 3000))] ^= (byte) (1 << random.nextInt(8));
            Files.write(which, random.nextInt(4) > 0 ? damaged : Arrays.copyOf(whole, random.nextInt(whole.length)));
            try (DurableRecord record = open()) {
                assertThat(written(record.state())).isEqualTo(before);
            } catch (RecordUnusableException named) {
                refused++;
                assertThat(named)
                        .hasCauseInstanceOf(JournalDamagedException.class)
                        .hasMessageContaining(which + ", byte ")
                        .hasMessageContaining("move the directory away");
                assertThat(named.mayPass()).isFalse();
                Files.write(which, whole);
            }
        }
        assertThat(refused).isGreaterThan(20);
        open().close();
    }

    /** Another program, or a later version of this one, wrote it: it may say what this one must not forget. */
    @Test
    void aRecordWithAnUnknownItemIsRefused() throws IOException {
        byte[] name = "aspas-bftserver-record\n".getBytes(StandardCharsets.US_ASCII);
        Hash owner = Hash.sha256(name, DEPLOYMENT.toBytes(), new byte[Integer.BYTES]);
        try (Journal journal = Journal.create(DirectoryFiles.open(journal()), owner, DurableRecord.LIMITS)) {
            items(1).forEach(item -> journal.append(item.toBytes()));
            journal.append(new byte[] {99, 1});
            journal.sync();
        }
        assertThatThrownBy(this::open).hasMessageContaining("record 3 is no item of a bftserver");
        assertThatThrownBy(() -> DurableRecord.inspect(directory, DEPLOYMENT, 0))
                .hasMessageContaining("record 3");
    }

    @Test
    void theRecordOfAnotherReplicaOrDeploymentIsRefused() throws IOException {
        open().close();
        assertThatThrownBy(() -> DurableRecord.open(directory, DEPLOYMENT, 1))
                .isInstanceOf(RecordUnusableException.class)
                .hasMessageContaining("another deployment or node");
        assertThatThrownBy(() -> DurableRecord.open(directory, Hash.ZERO, 0))
                .isInstanceOf(RecordUnusableException.class);
    }

    @Test
    void aRecordOfAnotherFormatIsNotTakenForNone() throws IOException {
        Files.write(directory.resolve("notary.record"), new byte[10]);
        assertThatThrownBy(this::open)
                .isInstanceOf(RecordUnusableException.class)
                .hasMessageContaining("notary.record");
    }

    @Test
    void oneProcessAtATimeUsesIt() throws IOException {
        try (DurableRecord record = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(RecordUnusableException.class)
                    .hasMessageContaining("in use");
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
            record.sync();
        }
        open().close();
    }

    @Test
    void grownFilesAreReplacedByFewThatHoldTheSame() throws IOException {
        JournalLimits limits = new JournalLimits(50_000, 1 << 20);
        List<String> before;
        try (DurableRecord record = DurableRecord.open(DirectoryFiles.open(journal()), DEPLOYMENT, 0, limits)) {
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
            for (long number = 1; number <= 300; number++) {
                items(number).forEach(record::append);
                record.sync();
                assertThat(length()).isLessThan(350_000);
            }
            before = written(record.state());
            assertThat(record.state().floor().value()).isEqualTo(300 - RecordState.RETAINED);
        }
        try (DurableRecord record = open()) {
            assertThat(written(record.state())).isEqualTo(before);
            assertThat(record.state().floor().value()).isEqualTo(300 - RecordState.RETAINED);
            assertThat(record.state().share(new CertificateNumber(300))).isPresent();
        }
    }

    private long length() throws IOException {
        long length = 0;
        for (Path segment : segments()) {
            length += Files.size(segment);
        }
        return length;
    }

    @Test
    void startsDoNotMakeItLonger() throws IOException {
        JournalLimits limits = new JournalLimits(50_000, 1 << 20);
        for (long number = 1; number <= 30; number++) {
            try (DurableRecord record = DurableRecord.open(DirectoryFiles.open(journal()), DEPLOYMENT, 0, limits)) {
                record.append(new RecordItem.Opened(new Epoch(number)));
                record.sync();
                assertThat(segments()).hasSizeLessThan(5);
            }
        }
        try (DurableRecord record = open()) {
            assertThat(record.state().epoch()).isEqualTo(new Epoch(30));
        }
    }

    @Test
    void whatAFullDiskDidNotTakeIsDurableOnceItTakesItAgain() throws IOException {
        FullFiles disk = new FullFiles(DirectoryFiles.open(journal()));
        DurableRecord record = DurableRecord.open(disk, DEPLOYMENT, 0, DurableRecord.LIMITS);
        record.append(new RecordItem.Taught(CertificateNumber.NONE));
        items(1).forEach(record::append);
        record.sync();
        List<String> first = written(record.state());
        disk.full = true;
        record.append(items(2).get(0));
        assertThatThrownBy(record::sync).isInstanceOf(IOException.class);
        record.append(items(2).get(1));
        assertThatThrownBy(record::sync).isInstanceOf(IOException.class);
        assertThat(written(record.state())).as("nothing of it is durable").isEqualTo(first);
        disk.full = false;
        record.sync();
        List<String> before = written(record.state());
        assertThat(record.state().proven(new CertificateNumber(2))).isPresent();
        record.close();
        try (DurableRecord again = open()) {
            assertThat(written(again.state())).isEqualTo(before);
        }
    }

    @Test
    void aFullDiskAtTheStartMayPass() throws IOException {
        write();
        FullFiles disk = new FullFiles(DirectoryFiles.open(journal()));
        disk.full = true;
        assertThatThrownBy(() -> DurableRecord.open(disk, DEPLOYMENT, 0, DurableRecord.LIMITS))
                .isInstanceOfSatisfying(
                        RecordUnusableException.class,
                        full -> assertThat(full.mayPass()).isTrue());
        open().close();
    }

    @Test
    void nothingIsWrittenOnceClosed() throws IOException {
        DurableRecord record = open();
        record.close();
        record.append(new RecordItem.Taught(CertificateNumber.NONE));
        assertThatThrownBy(record::sync).isInstanceOf(IOException.class);
        assertThatThrownBy(record::write).isInstanceOf(IOException.class);
    }
}
