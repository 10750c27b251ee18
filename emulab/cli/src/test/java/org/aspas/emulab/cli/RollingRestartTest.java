package org.aspas.emulab.cli;

import static org.aspas.emulab.cli.NodeProcesses.NODES;
import static org.aspas.emulab.cli.NodeProcesses.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All eight nodes, as processes, are told to end and started again, one after another, while clients in processes of their own
 * read and write. No operation may fail. The longest time without a new certificate is printed, not judged.
 */
@Tag("crash")
class RollingRestartTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void noOperationFailsWhileEveryNodeIsRestarted() throws Exception {
        try (CrashLab lab = CrashLab.start(folder, 2, 1)) {
            Map<String, Long> begun = new TreeMap<>();
            for (int index = 0; index < NODES; index++) {
                restart(lab, "appserver", index, begun);
            }
            for (int index = 0; index < NODES; index++) {
                restart(lab, "bftserver", index, begun);
            }
            lab.awaitAnswers(20);
            print(lab, begun);
            assertThat(lab.failures()).isEmpty();
            lab.verify();
        }
    }

    private static void restart(CrashLab lab, String role, int index, Map<String, Long> begun) throws Exception {
        begun.put(role + "-" + index, System.currentTimeMillis());
        System.out.println(Instant.now() + " " + role + "-" + index + " is told to end");
        Process running = lab.nodes().node(role + "-" + index);
        running.destroy();
        assertThat(running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        System.out.println(Instant.now() + " it has ended");
        lab.launch(role, index);
        lab.awaitBack(role, index);
        System.out.println(Instant.now() + " it is back; " + lab.counts());
        lab.awaitAnswers(10);
        long newest = lab.newestCertificate();
        Awaitility.await().atMost(PATIENCE).until(() -> lab.newestCertificate() > newest);
    }

    private static void print(CrashLab lab, Map<String, Long> begun) {
        List<Long> seen = new ArrayList<>(lab.firstSeen().values());
        seen.sort(null);
        for (Map.Entry<String, Long> node : begun.entrySet()) {
            System.out.printf(
                    Locale.ROOT,
                    "%s restarted: longest time without a new certificate %.1f s%n",
                    node.getKey(),
                    longestGap(seen, node.getValue(), end(begun, node.getValue())) / 1e3);
        }
        System.out.printf(
                Locale.ROOT,
                "all restarted: %s; longest time without a new certificate %.1f s, certificates %d%n",
                lab.counts(),
                longestGap(seen, 0, Long.MAX_VALUE) / 1e3,
                seen.size());
    }

    private static long end(Map<String, Long> begun, long after) {
        return begun.values().stream()
                .filter(time -> time > after)
                .min(Long::compare)
                .orElse(Long.MAX_VALUE);
    }

    /** The longest time between two that follow each other, of those that reach into a time. */
    private static long longestGap(List<Long> seen, long from, long to) {
        long longest = 0;
        for (int i = 1; i < seen.size(); i++) {
            if (seen.get(i) >= from && seen.get(i - 1) <= to) {
                longest = Math.max(longest, seen.get(i) - seen.get(i - 1));
            }
        }
        return longest;
    }
}
