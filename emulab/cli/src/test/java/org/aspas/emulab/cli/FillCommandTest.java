package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.testbed.cluster.AppserverAccess;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code emulab fill}: real nodes start on what it made, serve it, and go on. */
class FillCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(300);
    private static final int OBJECTS = 600;
    private static final int ELEMENTS = 400;
    private static final int ENTRIES = 3_000;
    /** With 6 clients, 4 of which make updates in bulk, more than two certificates. */
    private static final int BULK_ENTRIES = 9_000;

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void realNodesGoOnFromFilledStores(@TempDir Path folder) throws Exception {
        goOn(folder, ENTRIES, List.of());
    }

    @Test
    void realNodesGoOnFromStoresThatWereFilledInBulk(@TempDir Path folder) throws Exception {
        goOn(folder, BULK_ENTRIES, List.of("--bulk"));
    }

    private static void goOn(Path folder, int entries, List<String> how) throws Exception {
        String lab = folder.resolve("big").toString();
        List<String> command = new ArrayList<>(List.of("emulab", "fill", lab, "--objects", "" + OBJECTS));
        command.addAll(List.of("--elements", "" + ELEMENTS, "--entries", "" + entries, "--clients", "6"));
        command.addAll(how);
        List<String> init = List.of(FreePorts.choose().init(lab));
        command.addAll(init.subList(2, init.size()));
        CommandRun filled = CommandRun.of(command.toArray(String[]::new));
        assertThat(filled.exit()).as(filled.out() + filled.errors()).isZero();
        CommandRun whole = CommandRun.of("fsck", lab);
        assertThat(whole.exit()).as(whole.out()).isZero();

        AppserverAccess access =
                new AppserverAccess(new DeploymentDirectory(Path.of(lab)).descriptor(), HttpClient.newHttpClient());
        try (NodesHere nodes = NodesHere.start(Path.of(lab))) {
            for (int server = 0; server < access.appservers(); server++) {
                int one = server;
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> access.probe(one).ready());
            }
            try (AspasClient client = access.client(1, ClientOptions.defaults())) {
                Set<Value> object = get(client.set("object-" + (OBJECTS - 1)).get(ReadLevel.CERTIFIED))
                        .value();
                assertThat(object).hasSize(1);
                assertThat(get(client.set("large").contains(Value.of(ELEMENTS - 1), ReadLevel.CERTIFIED))
                                .value())
                        .isTrue();
                assertThat(get(client.set("large").contains(Value.of(ELEMENTS), ReadLevel.CERTIFIED))
                                .value())
                        .isFalse();
                long counted = 0;
                for (int counter = 0; counter < 16; counter++) {
                    counted += get(client.counter("counter-" + counter).get(ReadLevel.CERTIFIED))
                            .value();
                }
                assertThat(counted).isEqualTo(entries - OBJECTS - ELEMENTS);
                long before = access.probe(1).standing().certificate();
                assertThat(before).isPositive();
                assertThat(get(client.counter("counter-0").increment(1).confirmed())
                                .certificateNumber()
                                .value())
                        .isGreaterThan(before);
                assertThat(client.statistics().verificationFailures()).isZero();
            }
            for (int server = 0; server < access.appservers(); server++) {
                try (AspasClient client = access.client(server, ClientOptions.defaults())) {
                    get(client.counter("of-" + server).increment(1).confirmed());
                }
            }
        }
    }

    @Test
    void oneClientMakesNothingInBulk(@TempDir Path folder) {
        String lab = folder.resolve("big").toString();
        CommandRun run = CommandRun.of("emulab", "fill", lab, "--objects", "10", "--clients", "1", "--bulk");
        assertThat(run.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.errors()).contains("--clients is 1");
    }

    @Test
    void tooFewUpdatesAreWrongUsage(@TempDir Path folder) {
        String lab = folder.resolve("big").toString();
        CommandRun run = CommandRun.of("emulab", "fill", lab, "--objects", "10", "--entries", "9");
        assertThat(run.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.errors()).contains("--entries is 9");
        assertThat(Path.of(lab)).doesNotExist();
    }
}
