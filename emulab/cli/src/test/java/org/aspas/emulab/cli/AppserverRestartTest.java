package org.aspas.emulab.cli;

import static org.aspas.emulab.cli.NodeProcesses.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Appservers as processes that are killed while somebody writes, without any bftserver. */
@Tag("crash")
class AppserverRestartTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void whatAKilledServerAcknowledgedIsThereWhenItIsBackAndWithoutItsStoreItSignsNothing() throws Exception {
        try (NodeProcesses nodes = NodeProcesses.in(folder)) {
            nodes.launch(List.of("-Daspas.failpoint=before-write:150"), "appserver", 0);
            nodes.launch("appserver", 1);
            nodes.launch("appserver", 2);
            try (AcknowledgedWrites writes = new AcknowledgedWrites(nodes.ports(), 0)) {
                assertThat(nodes.node("appserver-0").waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                assertThat(nodes.printed("appserver-0")).contains("failpoint before-write: the process ends");
                int before = writes.acknowledged();
                assertThat(before).isGreaterThan(20);

                nodes.launch("appserver", 0);
                Awaitility.await().atMost(PATIENCE).until(() -> writes.acknowledged() > before + 50);
                assertThat(writes.lost()).isEmpty();
                assertThat(writes.state()).isEqualTo("serving");

                nodes.node("appserver-0").destroyForcibly().waitFor();
                Files.move(nodes.lab().resolve("data").resolve("appserver-0"), folder.resolve("appserver-0 as it was"));
                int last = writes.acknowledged();
                nodes.launch("appserver", 0);
                Awaitility.await().atMost(PATIENCE).until(() -> !writes.state().isEmpty());
                assertThat(writes.state()).isEqualTo("amnesiac");
                assertThat(writes.acknowledged()).isEqualTo(last);
            }
        }
    }
}
