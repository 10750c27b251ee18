package org.aspas.emulab.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The page's own tests, {@code src/test/page}: they need Node.js 20 or newer, and no browser. */
class PageModulesTest {
    private static final Path TESTS = Path.of("src", "test", "page");

    @Test
    void nodePassesThePagesTests() throws IOException, InterruptedException {
        Process node = start();
        String told = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(told).isZero();
        assertThat(told).doesNotContain("tests 0");
    }

    private static Process start() {
        ProcessBuilder node = new ProcessBuilder("node", "--test", TESTS.toString()).redirectErrorStream(true);
        try {
            return node.start();
        } catch (IOException absent) {
            return Assumptions.abort("There is no node on the path: the page's own tests do not run.");
        }
    }
}
