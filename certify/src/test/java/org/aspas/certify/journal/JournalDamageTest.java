package org.aspas.certify.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Files cut short, removed, and with flipped bits: the journal starts, or names the file, and never gives a wrong record. */
class JournalDamageTest {
    private static final int TRIALS = 1200;

    private final List<byte[]> records = new ArrayList<>();
    private int lastGroup;

    /** The files of a journal of some segments, every group synced. */
    private Map<String, byte[]> files(Random random, boolean closed) throws IOException {
        records.clear();
        PowerCutFiles disk = new PowerCutFiles(new Random(random.nextLong()));
        Journal journal = Journal.create(disk, PowerCutRun.OWNER, PowerCutRun.SMALL);
        for (int group = 0; group < 60; group++) {
            lastGroup = records.size();
            for (int i = random.nextInt(3); i >= 0; i--) {
                byte[] record = new byte[1 + random.nextInt(200)];
                random.nextBytes(record);
                records.add(record);
                journal.append(record);
            }
            journal.sync();
        }
        if (closed) {
            journal.close();
        }
        return disk.content();
    }

    private static String any(Map<String, byte[]> files, Random random) {
        return List.copyOf(files.keySet()).get(random.nextInt(files.size()));
    }

    private static String newestSegment(Map<String, byte[]> files) {
        return files.keySet().stream()
                .filter(name -> name.startsWith("journal-"))
                .reduce((older, newer) -> newer)
                .orElseThrow();
    }

    private static int lastWritten(byte[] bytes) {
        int at = bytes.length - 1;
        while (bytes[at] == 0) {
            at--;
        }
        return at;
    }

    /** Opens it and compares: the position behind the last record, or -1 when the damage was named. */
    private long served(Map<String, byte[]> files, String damaged, String what) throws IOException {
        PowerCutFiles disk = PowerCutFiles.holding(files, new Random(1));
        Journal journal;
        try {
            journal = Journal.open(disk, PowerCutRun.OWNER, PowerCutRun.SMALL);
        } catch (JournalDamagedException refused) {
            assertThat(refused).as(what).hasMessageContaining("disk/" + damaged + ", byte ");
            return -1;
        }
        long[] next = {0};
        journal.read(0, (position, record) -> {
            assertThat(position).as(what).isEqualTo(next[0]++);
            assertThat(Arrays.equals(record, records.get((int) position)))
                    .as(what)
                    .isTrue();
        });
        assertThat(next[0]).as(what).isEqualTo(journal.next());
        if (next[0] < records.size()) {
            assertThat(journal.tailCut().bytes()).as(what).isPositive();
        }
        return next[0];
    }

    @Test
    void aFlippedBitIsNamedOrTakesTheLastGroupAtMost() throws IOException {
        int refused = 0;
        int whole = 0;
        int cut = 0;
        for (int seed = 1; seed <= TRIALS; seed++) {
            // The first bit of neighbouring seeds is the same.
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            boolean closed = random.nextBoolean();
            Map<String, byte[]> files = files(random, closed);
            boolean end = random.nextInt(4) == 0;
            String name = end ? newestSegment(files) : any(files, random);
            byte[] bytes = files.get(name);
            int at = end ? lastWritten(bytes) - random.nextInt(60) : random.nextInt(bytes.length);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            String what = "seed " + seed + ": " + name + ", byte " + at;
            long next = served(files, name, what);
            refused += next < 0 ? 1 : 0;
            whole += next == records.size() ? 1 : 0;
            cut += next >= 0 && next < records.size() ? 1 : 0;
            if (next >= 0) {
                assertThat(next).as(what).isGreaterThanOrEqualTo(closed ? records.size() : lastGroup);
            }
        }
        assertThat(List.of(refused, whole, cut)).as("refused, whole, cut").allMatch(count -> count > 0);
    }

    @Test
    void aShortenedOrMissingFileIsNamed() throws IOException {
        for (int seed = 1; seed <= TRIALS; seed++) {
            // The first bit of neighbouring seeds is the same.
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            Map<String, byte[]> files = new TreeMap<>(files(random, random.nextBoolean()));
            String name = any(files, random);
            byte[] bytes = files.get(name);
            if (random.nextInt(10) == 0) {
                files.remove(name);
            } else {
                files.put(name, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
            }
            assertThat(served(files, name, "seed " + seed + ": " + name))
                    .as("seed %d: %s", seed, name)
                    .isEqualTo(-1);
        }
    }
}
