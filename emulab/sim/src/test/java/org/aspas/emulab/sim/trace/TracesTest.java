package org.aspas.emulab.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.aspas.certify.wire.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each trace file and compares what the cores say to each other with what the file tells. After a change that is meant,
 * {@code mvn -pl emulab/sim -am test -Dtest=TracesTest -Dsurefire.failIfNoSpecifiedTests=false -Daspas.traces=rewrite} writes
 * the files anew; read the difference before you commit it.
 */
class TracesTest {
    private static final Path FILES = Path.of("src/test/resources/org/aspas/emulab/sim/traces");
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("aspas.traces"));

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.sorted().toList();
        }
    }

    /** Kinds that travel inside others only, and the kind in which a trace shows them. */
    private static final Map<Kind, Kind> INSIDE = Map.of(
            Kind.TAGGED_REQUEST, Kind.REQUEST,
            Kind.RESPONSE, Kind.ANSWER,
            Kind.HEAD, Kind.BATCH,
            Kind.ENTRY, Kind.BATCH,
            Kind.CERTIFICATE, Kind.CONFIRMATION,
            Kind.CERTIFICATE_CONTENT, Kind.SHARE);

    @ParameterizedTest
    @MethodSource("files")
    void theCoresSayWhatTheFileTells(Path file) throws IOException {
        TraceFile trace = TraceFile.read(file);
        List<String> told = trace.run();
        assertThat(told).as("the trace of %s", file).isNotEmpty();
        if (REWRITE) {
            Files.writeString(file, trace.withOutput(told));
        } else {
            assertThat(told).as("the trace of %s", file).containsExactlyElementsOf(trace.output());
        }
    }

    @Test
    void everyKindOfMessageIsInATrace() throws IOException {
        String told = "";
        for (Path file : files()) {
            told += String.join("\n", TraceFile.read(file).output()) + "\n";
        }
        String all = told;
        assertThat(Kind.values())
                .allSatisfy(kind -> assertThat(all)
                        .containsPattern(
                                kind == Kind.PROVEN_CONTENT
                                        ? " RECOVER .*with its proof"
                                        : " " + INSIDE.getOrDefault(kind, kind) + "( |\n)"));
    }

    @Test
    void thereAreAtLeastTwelveAndEachSaysWhatItShows() throws IOException {
        assertThat(files())
                .hasSizeGreaterThanOrEqualTo(12)
                .allSatisfy(file ->
                        assertThat(Files.readString(file)).as("%s", file).startsWith("# "));
    }

    @Test
    void theFiguresOfThePaperAreAmongThem() throws IOException {
        String headings = "";
        for (Path file : files()) {
            headings += Files.readString(file).lines().findFirst().orElseThrow() + "\n";
        }
        assertThat(headings).contains("paper, Figure 2)", "Figure 3.a:", "Figure 3.b:", "Figure 3.c:");
    }
}
