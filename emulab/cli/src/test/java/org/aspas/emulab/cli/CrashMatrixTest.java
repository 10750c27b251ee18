package org.aspas.emulab.cli;

import static org.aspas.emulab.cli.NodeProcesses.NODES;
import static org.aspas.emulab.cli.NodeProcesses.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.Update;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.ProcessSignal;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The crash matrix of the certification cluster: eight nodes as processes, updates all the time, and for each fault the
 * longest time without a new certificate. It fails when certificates do not come back. How fast they do is printed, next
 * to the bound of twice the request timeout and a second; with {@code -Daspas.crash.strict} it also fails when a row misses
 * that, which on a machine with other work to do means nothing.
 */
@Tag("crash")
class CrashMatrixTest {
    private static final Duration WATCH = Duration.ofSeconds(12);
    /** Certificates come again when the last one is no older than this. */
    private static final Duration FLOWING = Duration.ofSeconds(2);

    private static final double BOUND_SECONDS = 2 * 3.0 + 1;
    private static final int NOBODY = -1;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final List<String> table = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private final ScheduledExecutorService load = Executors.newScheduledThreadPool(1);
    private final AtomicLong certificate = new AtomicLong();
    /** Nothing is ever put in: polling it is waiting. */
    private final BlockingQueue<Long> pause = new ArrayBlockingQueue<>(1);

    @SuppressWarnings("NullAway.Init")
    private AspasClient client;

    @SuppressWarnings("NullAway.Init")
    private NodeProcesses nodes;

    @BeforeEach
    void start() throws Exception {
        nodes = NodeProcesses.in(folder);
        for (int index = 0; index < NODES; index++) {
            nodes.launchReplica(index);
            nodes.launch("appserver", index);
        }
        client = AspasClient.connectEphemeral(
                new DeploymentDirectory(nodes.lab()).descriptor(),
                ClientOptions.defaults().withServer(0));
        var unused = load.scheduleWithFixedDelay(this::work, 100, 50, TimeUnit.MILLISECONDS);
        Awaitility.await().atMost(PATIENCE).until(() -> certificate.get() > 3);
        for (int replica = 0; replica < NODES; replica++) {
            nodes.awaitTakingPart(replica);
        }
    }

    @AfterEach
    void stop() throws Exception {
        load.shutdownNow();
        client.closeAsync();
        nodes.close();
        System.out.println(String.join(System.lineSeparator(), table));
    }

    /** One update, and a note of the newest certificate that the client has verified. */
    private void work() {
        Update update = client.counter("crash").increment(1);
        update.confirmed().exceptionally(lost -> null);
        update.answered().exceptionally(lost -> null);
        client.newestCertificate()
                .ifPresent(newest ->
                        certificate.accumulateAndGet(newest.content().number().value(), Math::max));
    }

    @Test
    void certificatesComeBackAfterEveryFault() throws Exception {
        table.add("| Fault | longest time without a new certificate, s | of it with 2b+1 running, s | leader after |");
        table.add("|---|---|---|---|");
        row("none", () -> {});
        strikeEach(replica -> {
            row(who(replica) + " killed", () -> nodes.kill(replica));
            row("bftserver-" + replica + " rejoins", () -> nodes.launchReplica(replica));
            nodes.awaitTakingPart(replica);
        });
        strikeEach(replica -> {
            row(who(replica) + " frozen", () -> ProcessSignal.send(handle(replica), "STOP"));
            row("bftserver-" + replica + " thawed", () -> ProcessSignal.send(handle(replica), "CONT"));
        });
        for (int absent = NODES - 1; absent >= 0; absent--) {
            coldStart("all killed, all but bftserver-" + absent + " started", absent);
            int missing = absent;
            row("bftserver-" + missing + " joins", () -> nodes.launchReplica(missing));
            nodes.awaitTakingPart(missing);
        }
        coldStart("all killed, all started", NOBODY);
        if (Boolean.getBoolean("aspas.crash.strict")) {
            assertThat(late).isEmpty();
        }
    }

    private void coldStart(String name, int absent) throws Exception {
        row(
                name,
                () -> {
                    nodes.killAllReplicas();
                    nodes.launchReplicasBut(absent);
                },
                () -> allRunBut(absent));
    }

    private ProcessHandle handle(int replica) {
        return nodes.replica(replica).toHandle();
    }

    private interface Strike {
        void on(int replica) throws Exception;
    }

    /** The followers and then the leader, so that both are struck; once more the leader when it has changed in between. */
    private void strikeEach(Strike strike) throws Exception {
        int leader = nodes.leader(NOBODY);
        boolean leaderStruck = false;
        for (int i = 1; i <= NODES; i++) {
            int replica = (leader + i) % NODES;
            leaderStruck |= nodes.leader(NOBODY) == replica;
            strike.on(replica);
        }
        if (!leaderStruck) {
            strike.on(nodes.leader(NOBODY));
        }
    }

    private String who(int replica) {
        return (nodes.leader(NOBODY) == replica ? "the leader, " : "") + "bftserver-" + replica;
    }

    private interface Fault {
        void strike() throws Exception;
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void row(String name, Fault fault) throws Exception {
        row(name, fault, () -> true);
    }

    /**
     * Watches from the fault until a while after 2b+1 bftservers run, and on until certificates come again.
     *
     * @param enough whether 2b+1 run
     */
    private void row(String name, Fault fault, Condition enough) throws Exception {
        long seen = certificate.get();
        long last = System.nanoTime();
        fault.strike();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long running = 0;
        long whole = 0;
        long bounded = 0;
        for (long now = last; running == 0 || now - running < WATCH.toNanos() || now - last > FLOWING.toNanos(); ) {
            assertThat(now).as("%s: no certificate after %s", name, seen).isLessThan(deadline);
            if (running == 0 && enough.holds()) {
                running = Math.max(last, now);
            }
            pause.poll(10, TimeUnit.MILLISECONDS);
            now = System.nanoTime();
            if (certificate.get() > seen) {
                seen = certificate.get();
                whole = Math.max(whole, now - last);
                bounded = running == 0 ? 0 : Math.max(bounded, now - Math.max(last, running));
                last = now;
            }
        }
        report(name, whole / 1e9, bounded / 1e9);
    }

    private boolean allRunBut(int absent) throws Exception {
        for (int replica = 0; replica < NODES; replica++) {
            if (replica != absent && !nodes.runs(replica)) {
                return false;
            }
        }
        return true;
    }

    /** Whom those follow that can say so; one that does not run says whom it followed last. */
    private String leaders() throws IOException {
        Map<Integer, Integer> followers = new TreeMap<>();
        for (int replica = 0; replica < NODES; replica++) {
            followers.merge(nodes.leaderOf(replica), 1, Integer::sum);
        }
        return followers.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> "bftserver-" + most.getKey())
                .orElse("");
    }

    private void report(String name, double whole, double bounded) throws IOException {
        String mark = bounded <= BOUND_SECONDS ? "" : " (bound " + BOUND_SECONDS + ")";
        if (!mark.isEmpty()) {
            late.add(name);
        }
        table.add(String.format(Locale.ROOT, "| %s | %.1f | %.1f%s | %s |", name, whole, bounded, mark, leaders()));
        System.out.println(table.get(table.size() - 1));
    }
}
