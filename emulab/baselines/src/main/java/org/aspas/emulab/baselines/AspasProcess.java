package org.aspas.emulab.baselines;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.Policy;
import org.aspas.emulab.testbed.cluster.AppserverAccess;
import org.aspas.emulab.testbed.cluster.SignatureText;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.SystemUnderTest;

/**
 * ASPAS with all servers in a process of their own, so that it can be told what they and what the clients need of the
 * processors. Thread-safe.
 */
public final class AspasProcess implements SystemUnderTest {
    private static final long POLL_MILLIS = 100;
    private static final long CLOSE_SECONDS = 15;
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long ANSWER_POLL_MILLIS = 5;

    /** The process starts its virtual machine too, on processors that the clients use. */
    private static final int PATIENCE_FACTOR = 3;

    private final Process process;
    private final Path folder;
    private final Path printed;
    private final CorrectServers servers;
    private final ClientResources resources;
    private final Policy policy;

    private AspasProcess(Process process, Path folder, Path printed, Descriptor descriptor, Policy policy) {
        this.process = process;
        this.folder = folder;
        this.printed = printed;
        AppserverAccess access = new AppserverAccess(descriptor, HttpClient.newHttpClient());
        this.servers = new CorrectServers(
                access, IntStream.range(0, access.appservers()).boxed().toList());
        this.resources = ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));
        this.policy = policy;
    }

    /**
     * Starts the servers, and returns when they are ready. They end with this process, however that ends.
     *
     * @param launcher the command line of this program up to the name of a command
     * @param more arguments of the servers' command that say how they keep what they know
     * @throws IOException when the process cannot be started, or ends
     * @throws TimeoutException when it is not ready in time
     */
    public static AspasProcess start(List<String> launcher, SystemChoice.Options options, List<String> more)
            throws IOException, InterruptedException, TimeoutException {
        Path wanted = options.keeping().folder();
        Path folder = wanted == null
                ? Files.createTempDirectory("aspas-servers-")
                : Files.createTempDirectory(Files.createDirectories(wanted), "aspas-servers-");
        Path directory = folder.resolve("deployment");
        Path printed = folder.resolve("printed.txt");
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("cluster", "--until-eof", "--dir", directory.toString()));
        command.addAll(List.of("--f", Integer.toString(options.quorums().f())));
        command.addAll(List.of("--b", Integer.toString(options.quorums().b())));
        command.addAll(more);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        boolean ready = false;
        try {
            awaitReady(process, printed, options.patience().multipliedBy(PATIENCE_FACTOR));
            Descriptor descriptor = new DeploymentDirectory(directory).descriptor();
            ready = true;
            return new AspasProcess(process, folder, printed, descriptor, options.policy());
        } catch (UnusableDirectory unusable) {
            throw new IOException("the servers' process wrote no deployment: " + unusable.getMessage(), unusable);
        } finally {
            if (!ready) {
                end(process, folder);
            }
        }
    }

    private static void awaitReady(Process process, Path printed, Duration patience)
            throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (Files.readAllLines(printed).stream().noneMatch(line -> line.startsWith("ready:"))) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IOException("the servers' process ended: " + Files.readString(printed));
            }
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("the servers' process is not ready after " + patience.toSeconds() + " s");
            }
        }
    }

    @Override
    public String name() {
        return "aspas";
    }

    @Override
    public CompletionStage<ClientSession> open(SessionSettings settings) {
        ClientOptions options = ClientOptions.defaults()
                .withResources(resources)
                .withRoundTrip(settings.roundTrip())
                .withPolicy(policy)
                .withTolerance(settings.tolerance().tolerance());
        AspasClient client =
                servers.access().client(settings.client() % servers.access().appservers(), options);
        return client.ready().thenApply(ready -> new ClientSession(client));
    }

    @Override
    public void awaitServing(Duration patience) throws IOException, InterruptedException, TimeoutException {
        servers.awaitServing(patience);
    }

    @Override
    public long newestCertificate() throws IOException, InterruptedException {
        return servers.newestCertificate();
    }

    @Override
    public long entries() throws IOException, InterruptedException {
        return servers.entries();
    }

    @Override
    public Convergence converge(Ledger ledger, Duration patience) throws InterruptedException {
        return servers.converge(ledger, resources, patience);
    }

    /** The servers' are asked for by a line on their process's standard input, and printed as another. */
    @Override
    public SortedMap<String, SignatureCounts.Reading> signatures() throws IOException, InterruptedException {
        int before = answers().size();
        OutputStream input = process.getOutputStream();
        input.write((SignatureText.QUESTION + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
        long deadline = System.nanoTime() + ANSWER.toNanos();
        List<SortedMap<String, SignatureCounts.Reading>> answers = answers();
        while (answers.size() <= before) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the servers' process does not tell of its signatures");
            }
            TimeUnit.MILLISECONDS.sleep(ANSWER_POLL_MILLIS);
            answers = answers();
        }
        SortedMap<String, SignatureCounts.Reading> parties = new TreeMap<>(answers.get(before));
        parties.put("clients", resources.signatures().read());
        return parties;
    }

    /** What has been answered so far. A line is there once its end is. */
    private List<SortedMap<String, SignatureCounts.Reading>> answers() throws IOException {
        String text = Files.readString(printed);
        List<SortedMap<String, SignatureCounts.Reading>> answers = new ArrayList<>();
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            SignatureText.read(line).ifPresent(answers::add);
        }
        return answers;
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of(process.toHandle());
    }

    @Override
    public Map<LagStep, DurationFigures> lagSteps(Duration past) throws IOException, InterruptedException {
        return servers.lagSteps();
    }

    @Override
    public Duration processorTimeElsewhere() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        resources.close();
        end(process, folder);
    }

    private static void end(Process process, Path folder) {
        process.destroy();
        try {
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException left) {
            throw new UncheckedIOException("the servers' keys are left in " + folder, left);
        }
    }
}
