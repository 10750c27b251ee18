package org.aspas.certify.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.JournalRecovery.SegmentScan;
import org.junit.jupiter.api.Test;

/** The journal's rules one by one, and its bytes. */
class JournalTest {
    private final PowerCutFiles disk = new PowerCutFiles(new Random(7));

    private static byte[] text(String words) {
        return words.getBytes(StandardCharsets.US_ASCII);
    }

    private Journal create() throws IOException {
        return Journal.create(disk, PowerCutRun.OWNER, PowerCutRun.SMALL);
    }

    private static Journal open(PowerCutFiles disk) throws IOException {
        return Journal.open(disk, PowerCutRun.OWNER, PowerCutRun.SMALL);
    }

    private static List<String> records(Journal journal, long from) throws IOException {
        List<String> found = new ArrayList<>();
        journal.read(from, (position, record) -> found.add(new String(record, StandardCharsets.US_ASCII)));
        return found;
    }

    private static String newest(Map<String, byte[]> files) {
        return files.keySet().stream()
                .filter(name -> name.startsWith("journal-"))
                .reduce((older, newer) -> newer)
                .orElseThrow();
    }

    @Test
    void aHundredRecordsAreOneWriteAndOneForce() throws IOException {
        Journal journal = create();
        long before = disk.operations();
        for (int i = 0; i < 100; i++) {
            assertThat(journal.append(text("r" + i))).isEqualTo(i);
        }
        assertThat(journal.synced()).isZero();
        journal.sync();
        assertThat(disk.operations() - before).isEqualTo(2);
        assertThat(journal.synced()).isEqualTo(100);
        assertThat(journal.unsyncedBytes()).isZero();
        assertThat(records(journal, 98)).containsExactly("r98", "r99");
    }

    @Test
    void whatIsCutOffIsCounted() throws IOException {
        Journal journal = create();
        journal.append(text("kept"));
        journal.sync();
        journal.append(text("torn"));
        journal.write();
        Map<String, byte[]> files = disk.content();
        byte[] segment = files.get(newest(files));
        int last = segment.length;
        while (segment[last - 1] == 0) {
            last--;
        }
        segment[--last] = 0;
        Journal again = open(PowerCutFiles.holding(files, new Random(1)));
        assertThat(records(again, 0)).containsExactly("kept");
        assertThat(again.tailCut().bytes()).isEqualTo(RecordGroup.HEADER + Integer.BYTES + 3);
        assertThat(again.tailCut().file()).isEqualTo("disk/" + newest(files));
        assertThat(again.tailCut().offset() + again.tailCut().bytes()).isEqualTo(last);
    }

    @Test
    void aGroupThatWasNotForcedIsWrittenAgainBeforeItIsServed() throws IOException {
        Journal journal = create();
        journal.append(text("seen"));
        journal.write();
        Journal again = open(disk);
        assertThat(records(again, 0)).containsExactly("seen");
        for (int i = 0; i < 20; i++) {
            assertThat(records(open(disk.survivor()), 0)).containsExactly("seen");
        }
    }

    @Test
    void aFileWhoseForceFailedIsNeverUsedAgain() throws IOException {
        Journal journal = create();
        journal.append(text("one"));
        disk.failWith(1);
        assertThatThrownBy(journal::sync).isInstanceOf(IOException.class);
        assertThat(journal.synced()).isZero();
        journal.append(text("two"));
        assertThatThrownBy(journal::sync).isInstanceOf(IOException.class);
        disk.failWith(0);
        journal.sync();
        assertThat(disk.usedAfterFailure()).isFalse();
        assertThat(records(open(disk.survivor()), 0)).containsExactly("one", "two");
    }

    @Test
    void aFullDiskThatIsFreedLosesNothing() throws IOException {
        Journal journal = create();
        byte[] large = new byte[2500];
        journal.append(large);
        journal.sync();
        disk.capacity(disk.used());
        journal.append(large);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(journal::sync).hasMessageContaining("no space left");
        }
        assertThat(disk.used()).as("what the attempts left").isLessThan(4096 + 200);
        disk.capacity(Long.MAX_VALUE);
        journal.sync();
        assertThat(journal.synced()).isEqualTo(2);
    }

    @Test
    void retentionDeletesWholeSegmentsOnly() throws IOException {
        Journal journal = create();
        for (int i = 0; i < 40; i++) {
            journal.append(Arrays.copyOf(text("r" + i), 500));
            journal.sync();
        }
        int before = disk.names().size();
        journal.dropBelow(20);
        assertThat(journal.oldest()).isBetween(10L, 20L);
        assertThat(disk.names()).hasSizeLessThan(before);
        assertThatThrownBy(() -> records(journal, journal.oldest() - 1)).isInstanceOf(IllegalArgumentException.class);
        journal.dropBelow(1_000);
        assertThat(journal.oldest()).isLessThan(40);
        long oldest = journal.oldest();
        journal.close();
        Journal again = open(disk);
        assertThat(again.oldest()).isEqualTo(oldest);
        assertThat(records(again, oldest)).hasSize((int) (40 - oldest));
    }

    @Test
    void opensWithoutNewRecordsAddNoFiles() throws IOException {
        Journal journal = create();
        journal.append(text("one"));
        journal.sync();
        open(disk);
        int after = disk.names().size();
        for (int i = 0; i < 10; i++) {
            assertThat(records(open(disk), 0)).containsExactly("one");
        }
        assertThat(disk.names().size()).isLessThanOrEqualTo(after + 1);
    }

    @Test
    void aLargeGroupHasALargeSegment() throws IOException {
        Journal journal = create();
        for (int i = 0; i < 10; i++) {
            journal.append(new byte[3000]);
        }
        journal.sync();
        assertThat(records(open(disk.survivor()), 0)).hasSize(10);
        assertThatThrownBy(() -> journal.append(new byte[3001])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRecordCannotPassForAGroup() throws IOException {
        SegmentHeader header = new SegmentHeader(PowerCutRun.OWNER, 1, 0, 4096, 99);
        byte[] forged =
                new RecordGroup(5, 5, List.of(text("forged"))).encode(98).array();
        byte[] group = new RecordGroup(0, 0, List.of(forged)).encode(99).array();
        ByteBuffer file =
                ByteBuffer.allocate(4096).put(header.encode()).put(group).clear();
        file.put(SegmentHeader.BYTES + group.length - 1, (byte) 0);
        SegmentScan scan = SegmentScan.of(file, header);
        assertThat(scan.contradiction()).isEmpty();
        assertThat(scan.next()).isZero();
    }

    @Test
    void theOwnersAndVersionsAndDirectoriesOfOthersAreRefused() throws IOException {
        create();
        assertThatThrownBy(() -> Journal.open(disk, Hash.ZERO, PowerCutRun.SMALL))
                .isInstanceOf(ForeignJournalException.class)
                .hasMessageContaining("another deployment or node");
        assertThatThrownBy(this::create).hasMessageContaining("exists already");
        assertThatThrownBy(() -> open(new PowerCutFiles(new Random(1))))
                .isInstanceOf(JournalDamagedException.class)
                .hasMessageContaining("it is missing");
        Map<String, byte[]> files = disk.content();
        ByteBuffer manifest = ByteBuffer.wrap(files.get(SegmentManifest.NAME)).putInt(8, 2);
        int checked = manifest.capacity() - Checksum.LENGTH;
        manifest.putInt(checked, Checksum.of(manifest, 0, checked));
        assertThatThrownBy(() -> open(PowerCutFiles.holding(files, new Random(1))))
                .hasMessageContaining("format version 2; this program reads 1");
    }

    @Test
    void aJournalWhoseManifestIsGoneIsNotMadeAnew() throws IOException {
        Journal journal = create();
        journal.append(text("one"));
        journal.sync();
        disk.delete(SegmentManifest.NAME);
        assertThatThrownBy(this::create).hasMessageContaining("holds records");
    }

    /** The vectors of docs/formats.md §15. */
    @Test
    void theBytesAreThoseOfTheFormat() {
        SegmentHeader header = new SegmentHeader(Hash.ZERO, 2, 3, 4096, 5);
        assertThat(HexFormat.of().formatHex(header.encode().array())).isEqualTo(HEADER_VECTOR);
        assertThat(HexFormat.of()
                        .formatHex(new RecordGroup(3, 3, List.of(text("ab"), text("c")))
                                .encode(5)
                                .array()))
                .isEqualTo(GROUP_VECTOR);
        assertThat(HexFormat.of()
                        .formatHex(new SegmentManifest(Hash.ZERO, 4, List.of(header))
                                .encode()
                                .array()))
                .isEqualTo(MANIFEST_VECTOR);
    }

    private static final String HEADER_VECTOR =
            "41535041534a4e4c00000001000000000000000000000000000000000000000000000000000000000000000000000000"
                    + "000000020000000000000003000010000000000000000005812b2167";
    private static final String GROUP_VECTOR =
            "000000000000000500000000000000030000000000000003000000020000000b260ef1fd1bf5ae680000000261620000"
                    + "000163";
    private static final String MANIFEST_VECTOR =
            "41535041534d465400000001000000000000000000000000000000000000000000000000000000000000000000000000"
                    + "00000004000000010000000000000002000000000000000300001000000000000000000530f0c872";
}
