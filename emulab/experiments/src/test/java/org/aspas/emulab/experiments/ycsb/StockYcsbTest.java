package org.aspas.emulab.experiments.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.Client;
import site.ycsb.Utils;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's own command line, which ends its process when it is done, in a process of its own against a cluster in this one. */
class StockYcsbTest {
    private static final int RECORDS = 20;

    @TempDir
    private Path folder;

    private record Finished(int exit, String text) {
        long figure(String name) {
            Matcher line = Pattern.compile("^" + Pattern.quote(name) + ", ([0-9]+)", Pattern.MULTILINE)
                    .matcher(text);
            assertThat(line.find()).as("%s in %s", name, text).isTrue();
            return Long.parseLong(line.group(1));
        }
    }

    private Finished ycsb(String... properties) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Client.class.getName(),
                "-db",
                AspasDb.class.getName(),
                "-P",
                Files.writeString(
                                folder.resolve("workload"),
                                "workload=" + CoreWorkload.class.getName() + "\nrecordcount=" + RECORDS
                                        + "\noperationcount=200\nreadproportion=0.5\nupdateproportion=0.5\n"
                                        + "requestdistribution=zipfian\n")
                        .toString(),
                "-threads",
                "3"));
        for (String property : properties) {
            command.add("-p");
            command.add(property);
        }
        Path text = folder.resolve("ycsb.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(text.toFile())
                .start();
        try {
            assertThat(process.waitFor(240, TimeUnit.SECONDS)).as("YCSB ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Finished(process.exitValue(), Files.readString(text));
    }

    @Test
    void aStockYcsbRunsAgainstADeployment() throws Exception {
        try (Cluster cluster = Cluster.start(new Quorums(1, 1))) {
            cluster.awaitReady(Duration.ofSeconds(60));
            Path lab = folder.resolve("lab");
            new DeploymentDirectory(lab).write(cluster.deployment());

            Finished counters = ycsb("aspas.descriptor=" + lab.resolve("deployment.json"), "aspas.tau=1,10,unbounded");
            assertThat(counters.exit()).as(counters.text()).isZero();
            long updates = counters.figure("[UPDATE], Return=OK");
            assertThat(updates + counters.figure("[READ], Return=OK")).isEqualTo(200);
            assertThat(counters.figure("[CONFIRM], Operations")).isEqualTo(updates);
            // Confirmed at the servers of the writers; the reader's has that certificate a little later.
            Awaitility.await().atMost(Duration.ofSeconds(300)).until(() -> sum(cluster) == updates);

            Finished sets = ycsb("aspas.descriptor=" + lab, "aspas.type=sets", "aspas.key=bench", "aspas.home=2");
            assertThat(sets.figure("[UPDATE], Return=OK") + sets.figure("[READ], Return=OK"))
                    .isEqualTo(200);
            assertThat(lab.resolve("clients").resolve("bench-2.key")).exists();
        }
    }

    private static long sum(Cluster cluster) throws Exception {
        long sum = 0;
        try (AspasClient client = cluster.client(3, ClientOptions.defaults())) {
            for (int record = 0; record < RECORDS; record++) {
                String key = "ycsb/counter/" + "user" + Utils.hash(record);
                sum += client.counter(key)
                        .get(ReadLevel.CERTIFIED)
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS)
                        .value();
            }
        }
        return sum;
    }

    @Test
    void mistakesAreSaidByName() throws Exception {
        assertThat(ycsb("aspas.tau=1").text()).contains("aspas.descriptor is missing");
        assertThat(ycsb("aspas.descriptor=" + folder.resolve("nowhere/deployment.json"))
                        .text())
                .contains("is not a directory");
        assertThat(ycsb("aspas.descriptor=x", "aspas.tua=1").text()).contains("there is no property aspas.tua");
    }
}
