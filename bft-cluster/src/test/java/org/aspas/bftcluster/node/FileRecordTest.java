package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Epoch;
import org.aspas.certify.message.ProvenContent;
import org.aspas.certify.message.Share;
import org.aspas.certify.signer.RecordItem;
import org.aspas.certify.signer.RecordState;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record file on a real file system: interrupted writes are cut off, damage is refused, nothing written is lost. */
class FileRecordTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {3});
    private static final Sealer SEALER = new Sealer(SigningKey.of(DEPLOYMENT.toBytes()), DEPLOYMENT);

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve(FileRecord.NAME);
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

    private FileRecord open() throws RecordUnusableException {
        return FileRecord.open(directory, DEPLOYMENT, 0);
    }

    private static List<String> written(RecordState state) {
        return state.items().stream()
                .map(item -> Hash.sha256(item.toBytes()).toString())
                .toList();
    }

    /** Writes a record of two numbers; where its last item begins. */
    private int write() throws IOException {
        int last = 0;
        try (FileRecord record = open()) {
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
            record.append(new RecordItem.Opened(new Epoch(1L << 32)));
            for (long number = 1; number <= 2; number++) {
                for (RecordItem item : items(number)) {
                    last = (int) Files.size(file());
                    record.append(item);
                }
            }
        }
        return last;
    }

    @Test
    void whatIsAppendedIsThereAgain() throws IOException {
        List<String> before;
        try (FileRecord record = open()) {
            assertThat(record.state().knowing()).isFalse();
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
            items(1).forEach(record::append);
            before = written(record.state());
        }
        try (FileRecord record = open()) {
            assertThat(record.state().knowing()).isTrue();
            assertThat(written(record.state())).isEqualTo(before);
            assertThat(record.state().share(CertificateNumber.FIRST)).isPresent();
            items(2).forEach(record::append);
        }
        try (FileRecord record = open()) {
            assertThat(record.state().newest().value()).isEqualTo(2);
        }
    }

    @Test
    void anItemWhoseWritingWasInterruptedAnywhereIsCutOff() throws IOException {
        int last = write();
        byte[] whole = Files.readAllBytes(file());
        for (int length = last; length < whole.length; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            try (FileRecord record = open()) {
                assertThat(record.state().share(CertificateNumber.FIRST)).isPresent();
                assertThat(record.state().share(new CertificateNumber(2)))
                        .as("cut at %d", length)
                        .isEmpty();
                assertThat(record.state().proven(new CertificateNumber(2))).isPresent();
            }
            assertThat(Files.size(file())).isEqualTo(last);
            // The same, where the file system had made room already.
            Files.write(file(), Arrays.copyOf(Arrays.copyOf(whole, length), whole.length));
            try (FileRecord record = open()) {
                assertThat(record.state().share(new CertificateNumber(2)))
                        .as("zeros from %d", length)
                        .isEmpty();
                record.append(items(2).get(2));
            }
            try (FileRecord record = open()) {
                assertThat(record.state().share(new CertificateNumber(2))).isPresent();
            }
        }
    }

    @Test
    void everyFlippedBitIsRefused() throws IOException {
        write();
        byte[] whole = Files.readAllBytes(file());
        Random random = new Random(5);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), damaged);
            assertThatThrownBy(this::open)
                    .as("byte %d of %d", at, whole.length)
                    .isInstanceOf(RecordUnusableException.class);
        }
        Files.write(file(), whole);
        open().close();
    }

    @Test
    void aFileCutInItsHeaderIsRefused() throws IOException {
        write();
        byte[] whole = Files.readAllBytes(file());
        for (int length = 0; length < RecordFormat.HEADER; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            assertThatThrownBy(this::open).isInstanceOf(RecordUnusableException.class);
        }
    }

    @Test
    void theRecordOfAnotherReplicaOrDeploymentIsRefused() throws IOException {
        open().close();
        assertThatThrownBy(() -> FileRecord.open(directory, DEPLOYMENT, 1))
                .isInstanceOf(RecordUnusableException.class)
                .hasMessageContaining("another deployment or replica");
        assertThatThrownBy(() -> FileRecord.open(directory, Hash.ZERO, 0)).isInstanceOf(RecordUnusableException.class);
    }

    @Test
    void oneProcessAtATimeUsesIt() throws IOException {
        try (FileRecord record = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(RecordUnusableException.class)
                    .hasMessageContaining("another bftserver uses it");
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
        }
        open().close();
    }

    @Test
    void aGrownFileIsReplacedByAShortOneThatHoldsTheSame() throws IOException {
        List<String> before;
        try (FileRecord record = FileRecord.open(directory, DEPLOYMENT, 0, 200_000)) {
            record.append(new RecordItem.Taught(CertificateNumber.NONE));
            for (long number = 1; number <= 300; number++) {
                items(number).forEach(record::append);
            }
            before = written(record.state());
            assertThat(Files.size(file())).isLessThan(210_000);
            assertThat(record.state().floor().value()).isEqualTo(300 - RecordState.RETAINED);
        }
        try (FileRecord record = open()) {
            assertThat(written(record.state())).isEqualTo(before);
            assertThat(record.state().floor().value()).isEqualTo(300 - RecordState.RETAINED);
            assertThat(record.state().share(new CertificateNumber(300))).isPresent();
        }
    }

    @Test
    void whatAFullDiskDidNotTakeIsDurableOnceItTakesItAgain() throws IOException {
        FullDisk disk = new FullDisk();
        FileRecord record = FileRecord.open(disk, DEPLOYMENT, 0, FileRecord.COMPACT_AT);
        record.append(new RecordItem.Taught(CertificateNumber.NONE));
        items(1).forEach(record::append);
        disk.full = true;
        RecordItem refused = items(2).get(0);
        assertThatThrownBy(() -> record.append(refused)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(record::recover).isInstanceOf(UncheckedIOException.class);
        disk.full = false;
        assertThatThrownBy(() -> record.append(items(2).get(1)))
                .as("the torn end of the bytes is not written behind")
                .isInstanceOf(UncheckedIOException.class);
        record.recover();
        record.append(items(2).get(1));
        List<String> before = written(record.state());
        record.close();
        assertThatThrownBy(record::recover).isInstanceOf(UncheckedIOException.class);
        FileRecord again = FileRecord.open(disk, DEPLOYMENT, 0, FileRecord.COMPACT_AT);
        assertThat(written(again.state())).isEqualTo(before);
        assertThat(again.state().proven(new CertificateNumber(2))).isPresent();
    }

    @Test
    void nothingIsAppendedOnceClosed() throws IOException {
        FileRecord record = open();
        record.close();
        assertThatThrownBy(() -> record.append(new RecordItem.Taught(CertificateNumber.NONE)))
                .isInstanceOf(UncheckedIOException.class);
    }
}
