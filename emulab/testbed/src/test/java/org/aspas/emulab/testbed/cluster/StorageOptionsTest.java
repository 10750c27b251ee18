package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose servers keep what they must in files, and leave none. */
class StorageOptionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static List<Path> in(Path folder) throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    @Test
    void allNodesHaveFilesUntilTheClusterIsClosed(@TempDir Path folder) throws Exception {
        StorageOptions keeping = new StorageOptions(Durability.SYNC, folder, RetentionLimits.USUAL);
        try (Cluster cluster = Cluster.start(new Quorums(1, 1), keeping.options())) {
            cluster.awaitReady(PATIENCE);
            assertThat(in(folder)).hasSize(1);
            try (AspasClient client = cluster.client(0, ClientOptions.defaults())) {
                client.counter("kept")
                        .increment(1)
                        .confirmed()
                        .toCompletableFuture()
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            Path data = in(folder).get(0);
            for (String node : List.of("appserver-0", "appserver-3", "bftserver-0", "bftserver-3")) {
                assertThat(in(data.resolve(node).resolve("journal"))).isNotEmpty();
            }
        }
        assertThat(in(folder)).isEmpty();
    }

    @Test
    void withoutADurabilityNothingIsInFiles(@TempDir Path folder) throws Exception {
        StorageOptions keeping = new StorageOptions(null, folder, RetentionLimits.USUAL);
        assertThat(keeping.options().data()).isNull();
        assertThat(in(folder)).isEmpty();
    }
}
