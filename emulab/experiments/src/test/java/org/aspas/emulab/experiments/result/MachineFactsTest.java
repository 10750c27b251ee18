package org.aspas.emulab.experiments.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run says of which commit its program is, wherever it is started; what the system tells of itself in files may be anything. */
class MachineFactsTest {
    private static final String LAUNCHER = "aspas.launcher";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private String git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=me", "-c", "user.email=me@example.org"));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command).directory(folder.toFile()).start();
        String printed = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(printed).isZero();
        return printed.strip();
    }

    @Test
    void theCommitIsThatOfTheProgram() throws Exception {
        git("init");
        git("commit", "--allow-empty", "-m", "one");
        String before = System.getProperty(LAUNCHER);
        System.setProperty(LAUNCHER, folder.resolve("aspas").toString());
        try {
            assertThat(MachineFacts.now().commit()).isEqualTo(git("rev-parse", "HEAD"));
            assertThat(MachineFacts.now().changed()).isFalse();
        } finally {
            if (before == null) {
                System.clearProperty(LAUNCHER);
            } else {
                System.setProperty(LAUNCHER, before);
            }
        }
    }

    @Test
    void aFileThatIsNotAsExpectedSaysNothing() {
        assertThat(MachineFacts.load(List.of("1.50 2.0 3.0 1/2 3"))).isEqualTo(1.5);
        assertThat(MachineFacts.load(List.of("1.50"))).isEqualTo(1.5);
        assertThat(MachineFacts.load(List.of())).isNegative();
        assertThat(MachineFacts.load(List.of("", ""))).isNegative();
        assertThat(MachineFacts.load(List.of("much"))).isNegative();
        assertThat(MachineFacts.kibibytes("16 kB")).isEqualTo(16);
        assertThat(MachineFacts.kibibytes("much kB")).isNegative();
        assertThat(MachineFacts.kibibytes("")).isNegative();
    }
}
