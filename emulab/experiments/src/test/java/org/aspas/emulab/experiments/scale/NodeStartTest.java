package org.aspas.emulab.experiments.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.growth.ProcessMeter;
import org.aspas.emulab.testbed.cluster.AppserverProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that fail, with a process that does nothing; {@code StartupCommandTest} has those of real servers. */
class NodeStartTest {
    private static final AppserverProbe NOBODY =
            new AppserverProbe(HttpClient.newHttpClient(), URI.create("http://127.0.0.1:1"));
    private static final long MIB = 1 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    private void await(Process process, long seconds) throws Exception {
        NodeStart.await(process, System.nanoTime(), NOBODY, data, ProcessMeter.ofThisJdk(), seconds);
    }

    private static Process shell(String script) throws IOException {
        return new ProcessBuilder("sh", "-c", script).start();
    }

    @Test
    void aProcessThatEndsIsNamedWithItsExitCode() throws Exception {
        Process process = shell("exit 6");
        assertThatThrownBy(() -> await(process, 60))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exit code 6");
    }

    @Test
    void aServerThatIsNeverReadyIsGivenUp() throws Exception {
        Process process = shell("read never");
        try {
            assertThatThrownBy(() -> await(process, 0))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("not ready after 0 s");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theLineHasAllFigures() {
        assertThat(new NodeStart(1.5, 2.25, 3 * MIB, 4 * MIB, 5 * MIB, 6 * MIB).line())
                .isEqualTo("ready after 1.50 s (2.25 s of processor), live heap 3.0 MiB, resident at most 4.0 MiB, base"
                        + " 5.0 MiB, journal 6.0 MiB");
    }
}
