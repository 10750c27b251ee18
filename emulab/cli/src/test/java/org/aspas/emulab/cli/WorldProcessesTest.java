package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A world's whole timeline on eight real processes. */
@Tag("crash")
class WorldProcessesTest {
    private static final String STORM = """
        name: storm
        about: Every fault that processes can have.
        networks_ms: {clients_appservers: 20, appservers: 30, appservers_bftservers: 20, bftservers: 10}
        faults:
          - {at: 1 s, for: 4 s, partition: [[appserver-0], [appserver-1]]}
          - {at: 2 s, for: 5 s, freeze: appserver-1}
          - {at: 8 s, for: 5 s, kill: bftserver-3}
          - {at: 9 s, for: 3 s, kill: appserver-2}
          - {at: 14 s, byzantine: appserver-3, role: forking}
        """;
    private static final int READY_SECONDS = 120;
    private static final int SECONDS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(2L * READY_SECONDS + SECONDS);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void everyFaultHappensAndCertificatesComeBack() throws Exception {
        String lab = folder.resolve("lab").toString();
        String world = Files.writeString(folder.resolve("storm.yaml"), STORM).toString();
        assertThat(CommandRun.of(FreePorts.choose().init(lab)).exit()).isZero();
        CompletableFuture<CommandRun> running = CompletableFuture.supplyAsync(() ->
                CommandRun.of("world", "run", world, lab, "--after", "" + READY_SECONDS, "--seconds", "" + SECONDS));

        Path liar = folder.resolve("lab/logs/appserver-3.log");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> running.isDone()
                        || Files.exists(liar) && Files.readString(liar).contains("attacks as forking"));
        String[] confirm = {
            "counter", "inc", "storm", "--dir", lab, "--world", world, "--place", "2", "--confirm", "--timeout", "30"
        };
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> running.isDone() || CommandRun.of(confirm).exit() == 0);

        CommandRun run = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(run.exit()).as(run.out() + run.errors()).isZero();
        assertThat(run.out())
                .containsSubsequence(
                        "all appservers are ready",
                        "appserver-1 stands still",
                        "appserver-1 goes on",
                        "bftserver-3 is killed",
                        "appserver-2 is killed",
                        "appserver-2 starts again",
                        "bftserver-3 starts again");
        String killed = Files.readString(folder.resolve("lab/logs/bftserver-3.log"));
        assertThat(killed.split("runs: links at port", -1)).hasSize(3);
        assertThat(killed).contains("delay, ms, one way");
    }
}
