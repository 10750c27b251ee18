package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientStateStore;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.Update;
import org.aspas.client.core.ClientState;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code backup}, {@code snapshot verify} and {@code restore}: real nodes on sockets, in this process. */
class BackupRestoreTest {
    private static final int ELEMENTS = 300;
    private static final int NODES = 4;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static AspasClient client(Path lab, int server) throws Exception {
        return AspasClient.connectEphemeral(
                new DeploymentDirectory(lab).descriptor(),
                ClientOptions.defaults().withServer(server));
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(300, TimeUnit.SECONDS);
    }

    private static Value element(int i) {
        byte[] element = new byte[600];
        element[0] = (byte) i;
        element[1] = (byte) (i >> 8);
        return Value.of(element);
    }

    private static void write(Path lab) throws Exception {
        try (AspasClient writer = client(lab, 0)) {
            List<Update> updates = new ArrayList<>();
            for (int i = 0; i < ELEMENTS; i++) {
                updates.add(writer.set("large").add(element(i)));
                updates.add(writer.counter("c" + i % 7).increment(i + 1));
            }
            for (Update update : updates) {
                await(update.confirmed());
            }
        }
    }

    /** The record of this client is as it was before a certificate covered its update. */
    private static void writeAndForgetThatItWasConfirmed(Path lab) throws Exception {
        DeploymentDirectory directory = new DeploymentDirectory(lab);
        AtomicReference<ClientState> open = new AtomicReference<>();
        ClientStateStore watched = new ClientStateStore() {
            @Override
            public Optional<ClientState> load() {
                return Optional.empty();
            }

            @Override
            public void save(ClientState record) {
                if (!record.unconfirmed().isEmpty()) {
                    open.compareAndSet(null, record);
                }
            }
        };
        try (AspasClient client = AspasClient.connect(
                directory.descriptor(),
                directory.clientKey("late"),
                1,
                ClientOptions.defaults().withState(watched))) {
            await(client.counter("once").increment(5).confirmed());
        }
        try (FileClientState record = new FileClientState(
                directory.clientPath("late", ".state"), directory.descriptor().id())) {
            assertThat(record.load()).isEmpty();
            record.save(open.get());
        }
    }

    /** The client gives its update again, to another server, and makes one more. */
    private static void countsOnce(Path lab) throws Exception {
        DeploymentDirectory directory = new DeploymentDirectory(lab);
        try (AspasClient client = AspasClient.connect(
                directory.descriptor(),
                directory.clientKey("late"),
                2,
                ClientOptions.defaults()
                        .withState(new FileClientState(
                                directory.clientPath("late", ".state"),
                                directory.descriptor().id())))) {
            await(client.counter("once").increment(100).confirmed());
            assertThat(await(client.counter("once").get(ReadLevel.CERTIFIED)).value())
                    .isEqualTo(105);
        }
    }

    /** Waits without a client of its own, because a snapshot counts every client that opened a session. */
    private static void everyServerGivesASnapshotOf(Path lab, int objects) {
        for (int server = 0; server < NODES; server++) {
            String from = String.valueOf(server);
            Awaitility.await().atMost(Duration.ofSeconds(300)).until(() -> {
                CommandRun run = CommandRun.of("snapshot", "verify", "--from", from, "--dir", lab.toString(), "--json");
                return run.exit() == 0
                        && new ObjectMapper()
                                        .readTree(run.out())
                                        .path("objects")
                                        .asLong()
                                == objects;
            });
        }
    }

    /** A confirmation comes from one server; each of the others has its certificate a little later. */
    private static void everyServerCertifies(Path lab, String counter, long value) throws Exception {
        for (int server = 0; server < NODES; server++) {
            try (AspasClient reader = client(lab, server)) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(300))
                        .until(() -> await(reader.counter(counter).get(ReadLevel.CERTIFIED))
                                        .value()
                                == value);
            }
        }
    }

    private static JsonNode json(String... arguments) throws Exception {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.exit()).as(run.out() + run.errors()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void aNewDeploymentGoesOnWithWhatABackupHolds() throws Exception {
        Path lab = folder.resolve("lab");
        FreePorts ports = FreePorts.choose();
        assertThat(CommandRun.of(ports.init(lab.toString())).exit()).isZero();
        String file = folder.resolve("one.aspas").toString();
        JsonNode taken;
        try (NodesHere nodes = NodesHere.start(lab)) {
            write(lab);
            writeAndForgetThatItWasConfirmed(lab);
            everyServerGivesASnapshotOf(lab, 9);
            taken = json("backup", lab.toString(), "--out", file, "--json");
            JsonNode live = json("snapshot", "verify", "--from", "2", "--dir", lab.toString(), "--json");
            assertThat(live.path("objects").asLong()).isEqualTo(9);
            assertThat(live.path("clients").asLong()).isEqualTo(2);
            String inUse = folder.resolve("in-use.aspas").toString();
            CommandRun running = CommandRun.of("backup", lab.toString(), "--out", inUse, "--stored", "appserver-1");
            assertThat(running.exit()).isEqualTo(ExitCodes.FAILED);
            assertThat(running.errors()).contains(lab.resolve("data/appserver-1") + " is in use");
        }
        assertThat(taken.path("objects").asLong()).isEqualTo(9);
        assertThat(taken.path("parts").asLong()).isGreaterThan(1);
        JsonNode read = json("snapshot", "verify", file, "--dir", lab.toString(), "--json");
        assertThat(read.path("hash")).isEqualTo(taken.path("hash"));
        noBitOfItIsChanged(Path.of(file));
        holdsNoKey(lab, Path.of(file));

        String stored = folder.resolve("stored.aspas").toString();
        JsonNode fromStore = json("backup", lab.toString(), "--out", stored, "--stored", "appserver-1", "--json");
        assertThat(fromStore.path("certificate").asLong())
                .isGreaterThanOrEqualTo(taken.path("certificate").asLong());

        Path late = new DeploymentDirectory(lab).clientPath("late", ".state");
        try (DirectoryFiles client = DirectoryFiles.open(late)) {
            assertThat(client.names()).isNotEmpty();
            String early = folder.resolve("early").toString();
            CommandRun running = CommandRun.of(FreePorts.choose().restore(file, early, lab.toString()));
            assertThat(running.exit()).isEqualTo(ExitCodes.FAILED);
            assertThat(running.errors()).contains("client late runs: " + late + " is in use");
        }

        Path next = folder.resolve("next");
        JsonNode made = json(FreePorts.choose().restore(file, next.toString(), lab.toString()));
        assertThat(made.path("certificate").asLong())
                .isEqualTo(taken.path("certificate").asLong() + 1);
        assertThat(made.path("deployment")).isNotEqualTo(taken.path("deployment"));
        assertThat(made.path("clients").asInt()).isEqualTo(1);
        goesOn(next, 0);
        goesOn(next, 1);
        whoLostItsStoreGetsTheState(next, made.path("certificate").asLong());
    }

    /** Nobody has the certificates before the first one: only a snapshot can bring the state. */
    private static void whoLostItsStoreGetsTheState(Path lab, long first) throws Exception {
        Path data = lab.resolve("data").resolve("appserver-3");
        Files.move(data, data.resolveSibling("lost"));
        try (NodesHere nodes = NodesHere.start(lab)) {
            Awaitility.await().atMost(Duration.ofSeconds(300)).until(() -> {
                CommandRun status = CommandRun.of("status", "--dir", lab.toString(), "--json");
                JsonNode server = new ObjectMapper()
                        .readTree(status.out())
                        .path("servers")
                        .path(3);
                return server.path("state").asText().equals("amnesiac")
                        && server.path("certificate").asLong() > first;
            });
        }
    }

    /** The values of the backup are there, and updates are confirmed; also after a restart. */
    private static void goesOn(Path lab, int before) throws Exception {
        try (NodesHere nodes = NodesHere.start(lab)) {
            for (int server = 0; server < NODES; server += 3) {
                try (AspasClient reader = client(lab, server)) {
                    assertThat(await(reader.counter("c3").get(ReadLevel.CERTIFIED))
                                    .value())
                            .isGreaterThanOrEqualTo(sum(3));
                    assertThat(await(reader.set("large").get(ReadLevel.CERTIFIED))
                                    .value())
                            .hasSizeGreaterThanOrEqualTo(ELEMENTS - before);
                    await(reader.counter("c3").increment(1).confirmed());
                    await(reader.set("large").remove(element(before)).confirmed());
                    await(reader.set("large").add(element(1000 + server)).confirmed());
                }
            }
            if (before == 0) {
                countsOnce(lab);
            }
            everyServerCertifies(lab, "c3", sum(3) + 2 * (before + 1L));
            try (AspasClient reader = client(lab, 2)) {
                assertThat(await(reader.set("large").contains(element(before), ReadLevel.CERTIFIED))
                                .value())
                        .isFalse();
                assertThat(await(reader.set("large").contains(element(before + 1), ReadLevel.CERTIFIED))
                                .value())
                        .isTrue();
            }
        }
        CommandRun fsck = CommandRun.of("fsck", lab.toString());
        assertThat(fsck.exit()).as(fsck.out() + fsck.errors()).isZero();
    }

    private static long sum(int counter) {
        long sum = 0;
        for (int i = counter; i < ELEMENTS; i += 7) {
            sum += i + 1;
        }
        return sum;
    }

    private void noBitOfItIsChanged(Path file) throws Exception {
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(1);
        Path changed = folder.resolve("changed.aspas");
        for (int i = 0; i < 20; i++) {
            byte[] one = whole.clone();
            int at = random.nextInt(one.length * 8);
            one[at / 8] ^= (byte) (1 << at % 8);
            Files.write(changed, i % 4 == 3 ? Arrays.copyOf(whole, at / 8) : one);
            CommandRun run = CommandRun.of("snapshot", "verify", changed.toString());
            assertThat(run.exit()).as("bit " + at + ": " + run.out()).isEqualTo(ExitCodes.FAILED);
            assertThat(run.errorLines()).as(run.errors()).hasSize(1);
        }
    }

    private static void holdsNoKey(Path lab, Path file) throws Exception {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        try (var keys = Files.walk(lab)) {
            for (Path key :
                    keys.filter(path -> path.toString().endsWith(".key")).toList()) {
                String hex = Files.readString(key).strip();
                String raw = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
                assertThat(bytes.contains(hex) || bytes.contains(raw))
                        .as("" + key)
                        .isFalse();
            }
        }
    }
}
