package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientRecord;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.ReadLevel;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes are one client at once, by its name, again and again; one of them is killed (SIGKILL) in each round, and in every third
 * round no server can be reached. No record is ever damaged, and each update that was answered or kept counts exactly once. The seed is
 * {@code -Daspas.crash.seed}, the rounds of the long test {@code -Daspas.crash.rounds}.
 */
class ClientRaceTest {
    private static final int AT_ONCE = 4;
    private static final int UPDATES = 3;
    /** So many rounds have one client name: the first of them makes its key, in all processes at once. */
    private static final int ROUNDS_OF_A_NAME = 10;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final long seed = Long.getLong("aspas.crash.seed", 1);
    private final Random random = new Random(seed);
    private final ConcurrentSkipListSet<Long> tried = new ConcurrentSkipListSet<>();
    private final ConcurrentSkipListSet<Long> answered = new ConcurrentSkipListSet<>();
    private final ConcurrentSkipListSet<Long> kept = new ConcurrentSkipListSet<>();
    private final ConcurrentSkipListSet<String> strange = new ConcurrentSkipListSet<>();
    private long next;
    private long firstOfName;
    private int killed;

    /** One process, and what it has said. */
    private final class Racer implements AutoCloseable {
        final Process process;
        /** Lines since the round began. */
        final AtomicInteger said = new AtomicInteger();

        volatile boolean idle;
        volatile boolean up;

        Racer(Path lab) throws IOException {
            process = new ProcessBuilder(
                            JavaCommand.of(ClientRaceMain.class, List.of("-Xmx96m"), List.of(lab.toString())))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Thread reader = new Thread(this::read);
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    heard(line);
                }
            } catch (IOException ended) {
                // It was killed.
            }
        }

        private void heard(String line) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "up" -> up = true;
                case "done" -> idle = true;
                case "try" -> tried.add(Long.valueOf(words[1]));
                case "ack" -> answered.add(Long.valueOf(words[1]));
                case "kept" -> kept.add(Long.valueOf(words[1]));
                default -> strange.add(line);
            }
            said.incrementAndGet();
        }

        void tell(String line) throws IOException {
            idle = false;
            said.set(0);
            OutputStream in = process.getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        }

        boolean rests() {
            return idle || !process.isAlive();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void aFewRounds() throws Exception {
        run(4);
    }

    @Test
    @Tag("crash")
    void manyRounds() throws Exception {
        run(Integer.getInteger("aspas.crash.rounds", 200));
    }

    private void run(int rounds) throws Exception {
        System.out.println("seed " + seed + ", rounds " + rounds);
        Path lab = folder.resolve("lab");
        CommandRun init = CommandRun.of(FreePorts.choose().init(lab.toString()));
        assertThat(init.exit()).as(init.errors()).isZero();
        DeploymentDirectory directory = new DeploymentDirectory(lab);
        List<Racer> racers = new ArrayList<>();
        NodesHere nodes = NodesHere.start(lab);
        try {
            for (int i = 0; i <= AT_ONCE; i++) {
                racers.add(new Racer(lab));
            }
            for (int round = 0; round < rounds; round++) {
                String name = "racer" + round / ROUNDS_OF_A_NAME;
                firstOfName = round % ROUNDS_OF_A_NAME == 0 ? next : firstOfName;
                round(racers, name, round % 3 < 2);
                racers.add(new Racer(lab));
                whole(directory, name);
                if ((round + 1) % ROUNDS_OF_A_NAME == 0 || round + 1 == rounds) {
                    verify(directory, name);
                    System.out.println("round " + (round + 1) + ": " + counts());
                }
            }
        } finally {
            racers.forEach(Racer::close);
            nodes.close();
        }
        System.out.println(
                "seed " + seed + ", rounds " + rounds + ": " + counts() + "; each answered or kept one once");
        assertThat(kept).isNotEmpty();
    }

    private String counts() {
        return killed + " killed, updates " + tried.size() + ", answered " + answered.size() + ", kept " + kept.size();
    }

    /** The first four begin at once, and one of them is killed after some of its lines; it goes, and a new one comes last. */
    private void round(List<Racer> racers, String name, boolean online) throws Exception {
        List<Racer> four = List.copyOf(racers.subList(0, AT_ONCE));
        for (Racer racer : four) {
            Awaitility.await().atMost(NodeProcesses.PATIENCE).until(() -> racer.up);
        }
        Racer victim = four.get(random.nextInt(AT_ONCE));
        int lines = random.nextInt(2 * UPDATES + 1);
        for (Racer racer : four) {
            racer.tell(name + (online ? " online " : " offline ") + next + " " + UPDATES);
            next += UPDATES;
        }
        Awaitility.await()
                .pollInterval(1, TimeUnit.MILLISECONDS)
                .atMost(NodeProcesses.PATIENCE)
                .until(() -> victim.said.get() >= lines || victim.rests());
        killed += victim.rests() ? 0 : 1;
        victim.close();
        assertThat(victim.process.waitFor(NodeProcesses.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        racers.remove(victim);
        for (Racer racer : four) {
            Awaitility.await().atMost(NodeProcesses.PATIENCE).until(racer::rests);
            assertThat(racer == victim || racer.process.isAlive())
                    .as("a client ends in order")
                    .isTrue();
        }
        assertThat(strange).isEmpty();
    }

    /** A start would read every record. */
    private static void whole(DeploymentDirectory lab, String name) throws Exception {
        try (Stream<Path> files = Files.list(lab.clientPath(name, ".state").getParent())) {
            for (Path record : files.filter(
                            file -> file.getFileName().toString().startsWith(name + ".state"))
                    .toList()) {
                assertThat(ClientRecord.inspect(record, lab.descriptor().id()).made())
                        .isIn(true, false);
            }
        }
    }

    /** One more client gives again what was left, until certificates cover it; then each update counts as it should. */
    private void verify(DeploymentDirectory lab, String name) throws Exception {
        ClientOptions options = ClientOptions.defaults()
                .withState(new FileClientState(
                        lab.clientPath(name, ".state"), lab.descriptor().id()));
        try (AspasClient client = AspasClient.connect(lab.descriptor(), lab.clientKey(name), 1, options)) {
            Awaitility.await()
                    .atMost(NodeProcesses.PATIENCE)
                    .until(() -> client.statistics().unconfirmed() == 0);
            Map<String, Long> values = new TreeMap<>();
            for (long update : tried) {
                String counter = CrashClientMain.counter(name, update);
                if (update >= firstOfName && !values.containsKey(counter)) {
                    values.put(
                            counter,
                            client.counter(counter)
                                    .get(ReadLevel.CERTIFIED)
                                    .toCompletableFuture()
                                    .get(NodeProcesses.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                                    .value());
                }
            }
            values.forEach(this::verifyBlock);
        }
        assertThat(new PendingRequests(lab, name).read()).isEmpty();
    }

    private void verifyBlock(String counter, long value) {
        long first = Long.parseLong(counter.substring(counter.indexOf('/') + 1)) * CrashClientMain.BLOCK;
        for (long update = first; update < first + CrashClientMain.BLOCK; update++) {
            int times = CrashClientMain.times(value, update);
            if (answered.contains(update) || kept.contains(update)) {
                assertThat(times).as("update %d, seed %d", update, seed).isEqualTo(1);
            } else {
                assertThat(times)
                        .as("update %d, seed %d", update, seed)
                        .isLessThanOrEqualTo(tried.contains(update) ? 1 : 0);
            }
        }
    }
}
