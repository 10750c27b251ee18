package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.aspas.client.api.FileClientState;
import org.aspas.client.core.ClientState;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code aspas fsck} says what a start would say, and changes no byte. */
class FsckCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TRIALS = 200;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path made;

    @TempDir
    private Path folder;

    private Path lab;
    private Hash deployment;

    @BeforeAll
    static void init() {
        assertThat(CommandRun.of("init", made.resolve("lab").toString()).exit()).isZero();
    }

    @BeforeEach
    void copy() throws Exception {
        lab = LabCopy.of(made.resolve("lab"), folder.resolve("lab"));
        deployment = new DeploymentDirectory(lab).descriptor().id();
        assertThat(CommandRun.of("fsck", lab.toString()).out())
                .contains("appserver-3: whole", "founded 1", "bftserver-3: whole", "complete 1");
        // One is enough: the others only take time.
        for (int other = 1; other < 4; other++) {
            delete(lab.resolve("data").resolve("appserver-" + other));
            delete(lab.resolve("data").resolve("bftserver-" + (other == 1 ? 0 : other)));
        }
    }

    /** Without its stores a deployment would look whole. */
    @Test
    void aFolderThatCannotBeListedIsAFinding() throws Exception {
        delete(lab.resolve("data"));
        Files.writeString(lab.resolve("data"), "");
        CommandRun run = CommandRun.of("fsck", lab.toString());
        assertThat(run.exit()).as(run.errors()).isEqualTo(1);
        assertThat(run.out())
                .isEqualToIgnoringNewLines("the nodes: CANNOT BE READ: " + lab.resolve("data") + " is not a directory");
    }

    private Path data() {
        return lab.resolve("data").resolve("bftserver-1");
    }

    private Path record() {
        return lab.resolve("clients").resolve("ann.state");
    }

    private void bftserver() throws IOException {
        try (DurableRecord record = DurableRecord.open(data(), deployment, 1)) {
            for (int i = 1; i <= 20; i++) {
                record.append(new RecordItem.Opened(new Epoch(i)));
                record.sync();
            }
        }
    }

    private void client(FileClientState state) {
        for (int i = 1; i <= 30; i++) {
            state.save(new ClientState(new CertificateNumber(2 + i), List.of()));
        }
    }

    private void client() {
        try (FileClientState state = new FileClientState(record(), deployment)) {
            client(state);
        }
    }

    private Map<String, Hash> hashes() throws IOException {
        Map<String, Hash> hashes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(lab)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                hashes.put(lab.relativize(file).toString(), Hash.sha256(Files.readAllBytes(file)));
            }
        }
        return hashes;
    }

    private static JsonNode store(CommandRun run, String name) throws IOException {
        for (JsonNode store : JSON.readTree(run.out()).get("stores")) {
            if (store.get("store").asText().equals(name)) {
                return store;
            }
        }
        throw new AssertionError("no store " + name + " in " + run.out());
    }

    @Test
    void wholeStoresAreToldByKindAndNoFileChanges() throws Exception {
        assertThat(CommandRun.of("fsck", lab.toString()).exit()).isZero();
        bftserver();
        client();
        Map<String, Hash> before = hashes();
        CommandRun words = CommandRun.of("fsck", lab.toString());
        assertThat(words.exit()).as(words.errors()).isZero();
        assertThat(words.out().lines()).hasSize(3);
        assertThat(words.out())
                .contains("bftserver-1: whole", "complete 1, epochs 20", "client ann: whole", "certificates 30");
        CommandRun json = CommandRun.of("fsck", lab.toString(), "--json");
        assertThat(store(json, "bftserver-1").get("records").get("epochs").asLong())
                .isEqualTo(20);
        assertThat(store(json, "client ann").get("tail_cut").asLong()).isZero();
        CommandRun alone = CommandRun.of("fsck", data().toString());
        assertThat(alone.exit()).as(alone.errors()).isZero();
        assertThat(alone.out()).contains("21 records");
        assertThat(hashes()).isEqualTo(before);
    }

    @Test
    void aStoreInUseIsReadAllTheSame() throws Exception {
        try (FileClientState state = new FileClientState(record(), deployment)) {
            assertThat(state.load()).isEmpty();
            client(state);
            Map<String, Hash> before = hashes();
            CommandRun run = CommandRun.of("fsck", lab.toString());
            assertThat(run.exit()).isZero();
            assertThat(run.out()).contains("client ann (in use): whole", "certificates 30");
            assertThat(hashes()).isEqualTo(before);
        }
        assertThat(CommandRun.of("fsck", lab.toString()).out()).doesNotContain("in use");
    }

    @Test
    void aStoreOfAnotherNodeOrDeploymentIsNamed() throws Exception {
        bftserver();
        Path other = lab.resolve("data").resolve("bftserver-2");
        Files.move(data(), other);
        CommandRun run = CommandRun.of("fsck", lab.toString());
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("bftserver-2: NOT THIS ONE'S", "another deployment or node");
        String moved = other.toString();
        assertThat(CommandRun.of("fsck", lab.toString(), "--node", "bftserver-1", "--data", moved)
                        .exit())
                .isZero();
        assertThat(CommandRun.of("fsck", lab.toString(), "--data", moved).exit())
                .isEqualTo(2);
        assertThat(CommandRun.of("fsck", lab.toString(), "--node", "bftserver-9")
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void fsckAndTheStartAgreeAboutFlippedBits() throws Exception {
        delete(lab.resolve("data"));
        // Not closed: damage of its last group is an interrupted write.
        FileClientState left = new FileClientState(record(), deployment);
        client(left);
        Path kept = folder.resolve("kept");
        copy(record(), kept);
        left.close();
        int named = 0;
        int cut = 0;
        Random random = new Random(11);
        for (int trial = 0; trial < TRIALS; trial++) {
            copy(kept, record());
            flip(record(), random);
            Map<String, Hash> before = hashes();
            CommandRun run = CommandRun.of("fsck", lab.toString(), "--json");
            assertThat(hashes()).isEqualTo(before);
            JsonNode store = store(run, "client ann");
            String start = startClient();
            assertThat(run.exit()).as("trial %d: %s", trial, start).isEqualTo(start.isEmpty() ? 0 : 6);
            if (start.isEmpty()) {
                cut += store.get("tail_cut").asLong() > 0 ? 1 : 0;
            } else {
                named++;
                assertThat(start).contains(store.get("damage").asText());
            }
        }
        assertThat(List.of(named, cut)).as("named, cut").allMatch(count -> count > 0);
    }

    /** A flipped bit in an appserver's store, and a shortened one: named with file and byte, exit code 6. */
    @Test
    void damageOfAnAppserverIsNamed() throws Exception {
        Path segment = lab.resolve("data/appserver-0/journal/journal-0000000000000001");
        byte[] whole = Files.readAllBytes(segment);
        byte[] flipped = whole.clone();
        flipped[90] ^= 1;
        Files.write(segment, flipped);
        CommandRun run = CommandRun.of("fsck", lab.toString(), "--node", "appserver-0");
        assertThat(run.exit()).isEqualTo(6);
        assertThat(run.out()).contains("appserver-0: DAMAGED: " + segment + ", byte ");
        Files.write(segment, Arrays.copyOf(whole, 1000));
        assertThat(CommandRun.of("fsck", lab.toString()).out()).contains(segment + ", byte 1000: ");
        Files.write(segment, whole);
        assertThat(CommandRun.of("fsck", lab.toString()).exit()).isZero();
    }

    @Test
    void fsckAndTheStartOfABftserverAgree() throws Exception {
        bftserver();
        Path kept = folder.resolve("kept");
        Path journal = data().resolve(DurableRecord.DIRECTORY);
        copy(journal, kept);
        int named = 0;
        Random random = new Random(12);
        for (int trial = 0; trial < 20; trial++) {
            copy(kept, journal);
            flip(journal, random);
            JsonNode store = store(CommandRun.of("fsck", lab.toString(), "--json"), "bftserver-1");
            String start = "";
            try (DurableRecord record = DurableRecord.open(data(), deployment, 1)) {
                assertThat(record.tailCut().bytes())
                        .isEqualTo(store.get("tail_cut").asLong());
            } catch (IOException refused) {
                start = String.valueOf(refused.getMessage());
                named++;
            }
            assertThat(store.get("state").asText()).isEqualTo(start.isEmpty() ? "whole" : "damaged");
            assertThat(start).contains(store.path("damage").asText());
        }
        assertThat(named).isPositive();
    }

    /** What a start says; nothing when it accepts. */
    private String startClient() {
        try (FileClientState state = new FileClientState(record(), deployment)) {
            state.load();
            return "";
        } catch (UncheckedIOException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static void flip(Path journal, Random random) throws IOException {
        try (Stream<Path> all = Files.list(journal)) {
            List<Path> files =
                    all.filter(file -> !file.endsWith("journal.lock")).sorted().toList();
            Path file = files.get(random.nextInt(files.size()));
            byte[] bytes = Files.readAllBytes(file);
            int used = bytes.length;
            while (used > 1 && bytes[used - 1] == 0) {
                used--;
            }
            int from = random.nextInt(3) == 0 ? Math.max(0, used - 60) : 0;
            bytes[from + random.nextInt(used - from)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> old = Files.list(to)) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
