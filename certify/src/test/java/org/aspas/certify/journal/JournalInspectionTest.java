package org.aspas.certify.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.junit.jupiter.api.Test;

/** An inspection says of a journal's files what a start would say, and changes none of them. */
class JournalInspectionTest {
    private static final int TRIALS = 300;
    private static final int GROUPS = 30;

    private int records;

    private static Optional<String> kind(byte[] record) {
        return Optional.of(record[0] < 0 ? "low" : "high");
    }

    /** The files of a journal of some segments, whose last group was written and not forced. */
    private Map<String, byte[]> files(Random random) throws IOException {
        records = 0;
        PowerCutFiles disk = new PowerCutFiles(new Random(random.nextLong()));
        Journal journal = Journal.create(disk, PowerCutRun.OWNER, PowerCutRun.SMALL);
        for (int group = 1; group <= GROUPS; group++) {
            for (int i = random.nextInt(3); i >= 0; i--) {
                byte[] record = new byte[1 + random.nextInt(200)];
                random.nextBytes(record);
                journal.append(record);
                records++;
            }
            if (group == GROUPS) {
                journal.write();
            } else {
                journal.sync();
            }
        }
        return disk.content();
    }

    private static PowerCutFiles disk(Map<String, byte[]> files) {
        return PowerCutFiles.holding(files, new Random(1));
    }

    /** What an inspection says, in one line; it may change nothing. */
    private static String inspected(Map<String, byte[]> files) throws IOException {
        PowerCutFiles disk = disk(files);
        try {
            JournalInspection found = JournalInspection.of(disk, PowerCutRun.OWNER, JournalInspectionTest::kind);
            assertThat(found.kinds().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(found.next() - found.oldest());
            return found.oldest() + " to " + found.next() + ", " + found.tailCut();
        } catch (JournalDamagedException damaged) {
            return String.valueOf(damaged.getMessage());
        } finally {
            Map<String, byte[]> after = disk.content();
            assertThat(after.keySet()).isEqualTo(files.keySet());
            files.forEach((name, bytes) -> assertThat(after.get(name)).isEqualTo(bytes));
        }
    }

    /** What a start says, in the same words. */
    private static String started(Map<String, byte[]> files) throws IOException {
        try {
            Journal journal = Journal.open(disk(files), PowerCutRun.OWNER, PowerCutRun.SMALL);
            return journal.oldest() + " to " + journal.next() + ", " + journal.tailCut();
        } catch (JournalDamagedException damaged) {
            return String.valueOf(damaged.getMessage());
        }
    }

    @Test
    void whatItSaysOfDamageIsWhatAStartSays() throws IOException {
        int refused = 0;
        int cut = 0;
        for (int seed = 1; seed <= TRIALS; seed++) {
            // The first bit of neighbouring seeds is the same.
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            Map<String, byte[]> files = new TreeMap<>(files(random));
            assertThat(inspected(files)).as("seed %d, whole", seed).isEqualTo(started(files));
            String name = List.copyOf(files.keySet()).get(random.nextInt(files.size()));
            byte[] bytes = Objects.requireNonNull(files.get(name)).clone();
            if (random.nextInt(3) == 0) {
                files.put(name, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            } else {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                files.put(name, bytes);
            }
            String said = inspected(files);
            assertThat(said).as("seed %d, %s", seed, name).isEqualTo(started(files));
            refused += said.contains(", byte ") ? 1 : 0;
            cut += said.contains("bytes=0") || said.contains(", byte ") ? 0 : 1;
        }
        assertThat(List.of(refused, cut)).as("refused, cut").allMatch(count -> count > 0);
    }

    /** Records that are not forced yet are there too. */
    @Test
    void itCountsEveryRecordByItsKind() throws IOException {
        Map<String, byte[]> files = files(new Random(5));
        JournalInspection found = JournalInspection.of(disk(files), PowerCutRun.OWNER, JournalInspectionTest::kind);
        assertThat(found.made()).isTrue();
        assertThat(found.next()).isEqualTo(records);
        assertThat(found.kinds()).containsOnlyKeys("high", "low");
        assertThat(found.segments()).isGreaterThan(2);
        assertThat(found.bytes())
                .isEqualTo(files.entrySet().stream()
                        .filter(file -> file.getKey().startsWith("journal-"))
                        .mapToLong(file -> file.getValue().length)
                        .sum());
        assertThat(JournalInspection.ofAnyone(disk(files)).kinds()).containsExactly(Map.entry("records", found.next()));
    }

    @Test
    void aRecordOfNoKindIsNamedByItsPosition() throws IOException {
        PowerCutFiles disk = disk(files(new Random(6)));
        int[] seen = {0};
        assertThatThrownBy(() -> JournalInspection.of(
                        disk, PowerCutRun.OWNER, record -> seen[0]++ == 7 ? Optional.empty() : kind(record)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("record 7 is of no kind");
    }

    @Test
    void withoutAManifestThereIsNoJournalUnlessRecordsAreLeft() throws IOException {
        JournalInspection none = JournalInspection.of(disk(Map.of()), PowerCutRun.OWNER, JournalInspectionTest::kind);
        assertThat(none.made()).isFalse();
        assertThat(none.next()).isZero();
        Map<String, byte[]> files = new TreeMap<>(files(new Random(7)));
        files.remove("journal.manifest");
        assertThatThrownBy(() -> JournalInspection.of(disk(files), PowerCutRun.OWNER, JournalInspectionTest::kind))
                .isInstanceOf(JournalDamagedException.class)
                .hasMessageContaining("it is missing");
    }

    @Test
    void theJournalOfAnotherIsNotTakenForItsOwn() throws IOException {
        PowerCutFiles disk = disk(files(new Random(8)));
        assertThatThrownBy(() -> JournalInspection.of(disk, Hash.sha256(new byte[] {99}), JournalInspectionTest::kind))
                .isInstanceOf(ForeignJournalException.class);
    }
}
