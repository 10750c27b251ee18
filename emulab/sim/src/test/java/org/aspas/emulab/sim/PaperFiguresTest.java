package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;

/**
 * Golden traces: the message patterns of the paper's figures, as the cores of all tiers send them. A golden file says in its
 * comment which figure it is; then it has each message with sender's and receiver's tier, in the order in which each is
 * delivered for the first time.
 */
class PaperFiguresTest {
    private static final Pattern LINE = Pattern.compile("\\s*[0-9.]+ ([A-Z_]+)\\s+(\\w+?)-[0-9]+ -> (\\w+?)-[0-9]+ .*");
    private static final int ALL = 100_000;

    private static List<String> golden(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                PaperFiguresTest.class.getResourceAsStream("golden/" + name), "no golden file " + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .toList();
        }
    }

    private static List<String> pattern(RunResult result, String first) {
        Set<String> seen = new LinkedHashSet<>();
        boolean began = false;
        for (String line : result.tail()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches() && !line.contains("probe")) {
                began |= matcher.group(1).equals(first);
                if (began && !matcher.group(1).equals("FRONTIER")) {
                    seen.add(matcher.group(1) + " " + matcher.group(2) + " -> " + matcher.group(3));
                }
            }
        }
        return List.copyOf(seen);
    }

    private static RunResult run() {
        return Simulation.run(Settings.of(11)
                .withClients(1, 500_000)
                .withMicros(3_000_000)
                .withFaults(Set.of(), 1_000_000)
                .withRoundTrip(70_000)
                .withTrace(ALL));
    }

    @Test
    void figure2NormalUpdateAndCertification() throws IOException {
        assertThat(pattern(run(), "REQUEST")).containsExactlyElementsOf(golden("figure-2.txt"));
    }

    @Test
    void theClientSpeaksToItsOwnAppserverAlone() {
        assertThat(run().tail())
                .filteredOn(line -> line.contains("REQUEST "))
                .isNotEmpty()
                .allMatch(line -> line.contains("client-0 -> appserver-0"));
    }
}
