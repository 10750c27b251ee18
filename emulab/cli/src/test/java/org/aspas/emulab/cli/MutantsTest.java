package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A sample of the mutants in config/mutants, run by the same script, with the classes of this build. Each list catches its own, and says of
 * a change that harms nothing that it survived: so neither a list nor the script can go blind unnoticed.
 */
class MutantsTest {
    private static final Path MUTANTS = Path.of("../../config/mutants");
    private static final String QUORUMS = "certify/src/main/java/org/aspas/certify/identity/Quorums.java";
    /** The same sum the other way round. */
    private static final String HARMLESS = "harmless | " + QUORUMS + " | s/return f + 1;/return 1 + f;/ | ";

    private static final Map<String, Run> runs = new LinkedHashMap<>();

    @TempDir
    static Path folder;

    /** All at once: each takes one core, and most of its time is the start of processes. */
    @BeforeAll
    static void start() throws IOException {
        sample(
                "simulate",
                List.of(),
                "mutants.txt",
                List.of("every-read-refused", "set-remove-takes-nothing"),
                "--runs 1");
        sample("search", List.of("--model"), "model.txt", List.of("early-signature-with-2b-commits"), "1 1 1 0 0 0");
        sample(
                "powercut",
                List.of("--journal"),
                "journal.txt",
                List.of("journal-records-not-forced", "journal-segment-name-not-forced"),
                "journal 1 3");
        sample(
                "tests",
                List.of("--tests"),
                "tests.txt",
                List.of("journal-of-another-owner", "journal-of-another-version"),
                "certify QuorumsTest");
        run("stale", List.of("--stale"), Map.of());
        run("broken", List.of(), Map.of("ASPAS_CLASSES", folder.toString()));
    }

    @Test
    void theSimulatorCatchesItsOwn() throws Exception {
        caught("simulate", "every-read-refused", "set-remove-takes-nothing");
    }

    @Test
    void theStateSearchCatchesItsOwn() throws Exception {
        caught("search", "early-signature-with-2b-commits");
    }

    @Test
    void powerCutsCatchTheirOwn() throws Exception {
        caught("powercut", "journal-records-not-forced", "journal-segment-name-not-forced");
    }

    @Test
    void testsCatchTheirOwn() throws Exception {
        caught("tests", "journal-of-another-owner", "journal-of-another-version");
    }

    /** Code moves on, and the expression of a mutant that nobody runs would change nothing. */
    @Test
    void everyLineOfEveryListStillChangesItsFiles() throws Exception {
        Run stale = runs.get("stale");
        assertThat(stale.exit()).as(stale.out()).isZero();
    }

    /** A mutant that goes takes with it the proof that somebody notices: what each list had on 2026-11-30 it has for good. */
    @ParameterizedTest
    @CsvSource({"mutants.txt, 133", "tests.txt, 444", "journal.txt, 34", "model.txt, 8"})
    void noListGetsShorter(String list, int least) throws IOException {
        try (Stream<String> all = Files.lines(MUTANTS.resolve(list))) {
            assertThat(all.filter(line -> line.contains(" | ") && !line.startsWith("#")))
                    .hasSizeGreaterThanOrEqualTo(least);
        }
    }

    /** As for months, when the class path of the script lacked a module. */
    @Test
    void whereTheOriginalFailsNothingIsSaidOfAnyMutant() throws Exception {
        Run broken = runs.get("broken");
        assertThat(broken.exit()).isEqualTo(2);
        assertThat(broken.out())
                .contains("mutants: the original fails (exit code 1)")
                .doesNotContain("|");
    }

    private static void caught(String run, String... names) throws Exception {
        int exit = runs.get(run).exit();
        String out = runs.get(run).out();
        for (String name : names) {
            assertThat(out).as(name).containsPattern("(?m)^[|] `" + name + "` [|] [^*]");
        }
        assertThat(out).contains("| `harmless` | **SURVIVED** |");
        assertThat(out.lines().filter(line -> line.startsWith("| `"))).as(out).hasSize(names.length + 1);
        assertThat(exit).as(out).isEqualTo(1);
    }

    /** Lines of a list, and one more that harms nothing. */
    private static void sample(String run, List<String> options, String list, List<String> names, String harmless)
            throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<String> all = Files.lines(MUTANTS.resolve(list))) {
            all.filter(line -> names.contains(line.split(" [|] ", 2)[0])).forEach(lines::add);
        }
        lines.add(HARMLESS + harmless);
        Path file = Files.write(folder.resolve(list), lines);
        run(run, options, Map.of("ASPAS_MUTANTS", file.toString(), "ASPAS_CLASSES", classPath()));
    }

    private static void run(String name, List<String> options, Map<String, String> environment) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("sh", MUTANTS.resolve("run.sh").toString()));
        command.addAll(options);
        Path out = folder.resolve(name + ".out");
        ProcessBuilder process =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        // The JDK of this build, and what it compiled, of all modules.
        process.environment()
                .merge(
                        "PATH",
                        Path.of(System.getProperty("java.home"), "bin").toString(),
                        (path, jdk) -> jdk + ":" + path);
        process.environment().put("ASPAS_TEST_CLASSES", Path.of("../..").toRealPath() + "/%/target/test-classes");
        process.environment().put("ASPAS_CONSOLE", classPath());
        process.environment().putAll(environment);
        runs.put(name, new Run(process.start(), out));
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private record Run(Process process, Path file) {
        int exit() throws Exception {
            if (!process.waitFor(10, TimeUnit.MINUTES)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("not done after ten minutes: " + out());
            }
            return process.exitValue();
        }

        String out() throws IOException {
            return Files.readString(file);
        }
    }
}
