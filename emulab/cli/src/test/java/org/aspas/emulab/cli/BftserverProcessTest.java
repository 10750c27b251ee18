package org.aspas.emulab.cli;

import static org.aspas.emulab.cli.NodeProcesses.NODES;
import static org.aspas.emulab.cli.NodeProcesses.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.emulab.testbed.deployment.ProcessSignal;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bftservers as processes, each under its supervisor, without any appserver or client. */
class BftserverProcessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void killedOnesAreStartedAgainAndASilentLeaderIsReplacedThoughNobodyAsksForAnything() throws Exception {
        try (NodeProcesses nodes = NodeProcesses.in(folder)) {
            for (int replica = 0; replica < NODES; replica++) {
                nodes.launch("bftserver", replica);
            }
            for (int replica = 0; replica < NODES; replica++) {
                nodes.awaitTakingPart(replica);
            }
            int leader = nodes.leader(-1);
            int follower = (leader + 1) % NODES;

            ProcessHandle before = child(nodes, follower);
            before.destroyForcibly();
            Awaitility.await().atMost(PATIENCE).until(() -> nodes.takesPart(follower, 2));
            assertThat(child(nodes, follower).pid()).isNotEqualTo(before.pid());
            assertThat(nodes.printed(follower)).contains("the bftserver's process ended with 137");

            ProcessHandle frozen = child(nodes, nodes.leader(-1));
            int silent = nodes.leader(-1);
            ProcessSignal.send(frozen, "STOP");
            // Only the bftservers' own votes for ordered time wait for the leader here.
            Awaitility.await().atMost(PATIENCE).until(() -> followAnother(nodes, silent));
            ProcessSignal.send(frozen, "CONT");
            Awaitility.await().atMost(PATIENCE).until(() -> nodes.leaderOf(silent) != silent);
        }
    }

    @Test
    void aDamagedRecordEndsItByFileAndByteAndNobodyStartsItAgain() throws Exception {
        try (NodeProcesses nodes = NodeProcesses.in(folder)) {
            Path data = nodes.lab().resolve("data").resolve("bftserver-0");
            Path manifest = data.resolve("journal").resolve("journal.manifest");
            Files.createDirectories(manifest.getParent());
            Files.write(manifest, new byte[100]);
            nodes.launch("bftserver", 0);
            assertThat(nodes.replica(0).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(nodes.replica(0).exitValue()).as(nodes.printed(0)).isEqualTo(ExitCodes.DAMAGED);
            assertThat(nodes.printed(0)).contains(manifest + ", byte 0");
        }
    }

    private static boolean followAnother(NodeProcesses nodes, int silent) throws Exception {
        for (int replica = 0; replica < NODES; replica++) {
            if (replica != silent && nodes.leaderOf(replica) == silent) {
                return false;
            }
        }
        return true;
    }

    /** The process in which the supervisor runs the replica. */
    private static ProcessHandle child(NodeProcesses nodes, int replica) {
        List<ProcessHandle> children =
                nodes.replica(replica).toHandle().children().toList();
        assertThat(children).hasSize(1);
        return children.get(0);
    }
}
