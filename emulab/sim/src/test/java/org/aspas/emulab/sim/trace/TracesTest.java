package org.aspas.emulab.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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

    @ParameterizedTest
    @MethodSource("files")
    void theCoresSayWhatTheFileTells(Path file) throws IOException {
        TraceFile trace = TraceFile.read(Files.readString(file));
        List<String> told = trace.run();
        assertThat(told).as("the trace of %s", file).isNotEmpty();
        if (REWRITE) {
            Files.writeString(file, trace.withOutput(told));
        } else {
            assertThat(told).as("the trace of %s", file).containsExactlyElementsOf(trace.output());
        }
    }
}
