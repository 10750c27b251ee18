package org.aspas.appserver.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs of {@link StorePowerCutRun}, and what happened in them. */
final class StorePowerCuts {
    private final Path folder;
    private int runs;
    private int cuts;
    private int cutsInStarts;
    private int tails;
    private int shortened;
    private int repairs;

    StorePowerCuts(Path folder) {
        this.folder = folder;
    }

    /** Runs a seed. */
    void run(long seed) throws IOException {
        Path of = folder.resolve("seed-" + seed);
        StorePowerCutRun run = new StorePowerCutRun(seed, of);
        try {
            run.run();
        } catch (StorePowerCutRun.Violation broken) {
            throw new StorePowerCutRun.Violation("seed " + seed + " " + broken.getMessage(), broken);
        } finally {
            delete(of);
        }
        runs++;
        cuts += run.cuts();
        cutsInStarts += run.cutsInStarts();
        tails += run.tailBytes() > 0 ? 1 : 0;
        shortened += run.shortened();
        repairs += run.repairs();
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> found = Files.walk(directory)) {
            all = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path one : all) {
            Files.delete(one);
        }
    }

    int cuts() {
        return cuts;
    }

    int shortened() {
        return shortened;
    }

    @Override
    public String toString() {
        return runs + " runs, " + cuts + " stops, " + cutsInStarts + " of them in a start, " + tails
                + " runs with a tail cut off, " + shortened + " journals made shorter, " + repairs
                + " starts without a base that is new enough";
    }
}
