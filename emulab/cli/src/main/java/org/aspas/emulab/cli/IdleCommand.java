package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.client.net.ServerTrust;
import org.aspas.emulab.experiments.growth.ProcessMeter;
import org.aspas.emulab.experiments.scale.IdleSessions;
import org.aspas.emulab.experiments.scale.IdleUse;
import org.aspas.emulab.testbed.cluster.AppserverAccess;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code emulab idle}: what a deployment costs that has nothing to do, and sessions that do nothing. */
@Command(
        name = "idle",
        description = {
            "Measure the cost of an idle deployment: processor time and wake-ups of each node, and certificates. Then"
                    + " measure what idle sessions, after one update each, cost appserver 0: live heap after a"
                    + " collection, and memory outside the heap.",
            "All nodes of the deployment start as processes of this machine. Requires jcmd, which every JDK has, and"
                    + " /proc."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a session takes no more memory than the bound",
            "1:a session takes more, a server ended, or nothing was certified",
            "2:the command line or a file that it names is wrong",
            "3:a server was not ready in time"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas init lab && aspas emulab idle lab",
            "  aspas emulab idle lab --sessions 500 --seconds 60 --json"
        })
final class IdleCommand implements Callable<Integer> {
    private static final int PATIENCE_SECONDS = 300;
    private static final int SETTLE_SECONDS = 5;
    private static final long POLL_MILLIS = 200;
    private static final NodeId SERVER = NodeId.appserver(0);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(
            names = "--sessions",
            paramLabel = "N",
            description = "number of idle sessions, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int sessions = 1000;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "seconds to observe the idle nodes, once without and once with sessions; 1 to 3600 (default:"
                    + " ${DEFAULT-VALUE})")
    private int seconds = 30;

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            description = "heap of each appserver in MiB, 64 to 1048576 (default: ${DEFAULT-VALUE})")
    private int heap = 512;

    @Option(
            names = "--bound",
            paramLabel = "BYTES",
            description = "maximum bytes for each session, 1 to 1000000000 (default: ${DEFAULT-VALUE})")
    private int bound = 65_536;

    @Mixin
    private TrustOption trust = new TrustOption();

    @Mixin
    private JsonOption json = new JsonOption();

    private final ObjectNode document = new ObjectMapper().createObjectNode();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--sessions", sessions, 1, 1000);
        Ranges.check(spec, "--seconds", seconds, 1, 3600);
        Ranges.check(spec, "--heap", heap, 64, 1 << 20);
        Ranges.check(spec, "--bound", bound, 1, 1_000_000_000);
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        ServerTrust trusted = trust.of(deployment);
        AppserverAccess access =
                new AppserverAccess(deployment.descriptor(), trusted.http().build(), trusted);
        ProcessMeter meter = ProcessMeter.ofThisJdk();
        MeasuredNodes processes = new MeasuredNodes(directory, heap);
        Thread stop = new Thread(processes::stopAll);
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            start(processes, access);
            double each = measured(processes, access, meter);
            if (json.wanted()) {
                json.print(document);
            }
            return each <= bound ? ExitCodes.DONE : ExitCodes.FAILED;
        } catch (TimeoutException late) {
            spec.commandLine().getErr().println("aspas: " + late.getMessage());
            return ExitCodes.UNREACHABLE;
        } finally {
            processes.stopAll();
            Runtime.getRuntime().removeShutdownHook(stop);
        }
    }

    private static void start(MeasuredNodes processes, AppserverAccess access)
            throws IOException, InterruptedException, TimeoutException {
        for (NodeDescription node : access.descriptor().nodes()) {
            processes.start(
                    node.id(),
                    List.of(),
                    node.id().equals(SERVER) ? List.of("-XX:NativeMemoryTracking=summary") : List.of());
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (int server = 0; server < access.appservers(); server++) {
            while (!access.probe(server).ready()) {
                if (!processes.of(NodeId.appserver(server)).isAlive()) {
                    throw new IOException("appserver-" + server + " ended; see its log");
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(
                            "appserver-" + server + " is not ready after " + PATIENCE_SECONDS + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    /** The bytes of a session. */
    private double measured(MeasuredNodes processes, AppserverAccess access, ProcessMeter meter)
            throws IOException, InterruptedException, TimeoutException {
        // What happens only once, such as the loading of classes and the first chunks of buffers, is no session's.
        IdleSessions.open(access, SERVER.index(), Math.max(1, sessions / 4), PATIENCE_SECONDS)
                .close();
        settle(access);
        watch(processes, access, "nothing to do");
        Memory before = memory(processes, meter);
        try (IdleSessions open = IdleSessions.open(access, SERVER.index(), sessions, PATIENCE_SECONDS)) {
            settle(access);
            watch(processes, access, sessions + " idle sessions at " + SERVER);
            Memory after = memory(processes, meter);
            return report(before, after);
        }
    }

    private static void settle(AppserverAccess access) throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!access.probe(SERVER.index()).standing().settled()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException(SERVER + " has entries that no certificate covers");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    }

    private void watch(MeasuredNodes processes, AppserverAccess access, String state)
            throws IOException, InterruptedException {
        List<NodeId> nodes = new ArrayList<>();
        List<ProcessHandle> handles = new ArrayList<>();
        for (NodeDescription node : access.descriptor().nodes()) {
            nodes.add(node.id());
            handles.add(processes.of(node.id()).toHandle());
        }
        long before = access.probe(SERVER.index()).standing().certificate();
        List<IdleUse> uses = IdleUse.watch(handles, seconds);
        long certificates = access.probe(SERVER.index()).standing().certificate() - before;
        ObjectNode part = document.withArray("idle").addObject();
        part.put("state", state).put("seconds", seconds).put("certificates", certificates);
        ArrayNode each = part.putArray("nodes");
        tell(state + ", " + seconds + " s: " + certificates + " certificates");
        for (int i = 0; i < uses.size(); i++) {
            IdleUse use = uses.get(i);
            each.addObject()
                    .put("node", nodes.get(i).toString())
                    .put("processor_percent", use.processorPercent())
                    .put("wake_ups_per_second", use.wakeUps());
            tell(String.format(
                    Locale.ROOT,
                    "  %-14s %6.2f %% of a processor, %7.1f wake-ups/s",
                    nodes.get(i),
                    use.processorPercent(),
                    use.wakeUps()));
        }
    }

    private record Memory(long heap, long direct) {}

    private Memory memory(MeasuredNodes processes, ProcessMeter meter) throws IOException, InterruptedException {
        ProcessHandle process = processes.of(SERVER).toHandle();
        long live = meter.measure(process, directory.resolve("data")).heapBytes();
        return new Memory(live, meter.directBytes(process.pid()));
    }

    private double report(Memory before, Memory after) {
        double onHeap = (double) (after.heap() - before.heap()) / sessions;
        double direct = (double) (after.direct() - before.direct()) / sessions;
        document.put("sessions", sessions)
                .put("heap_bytes_before", before.heap())
                .put("heap_bytes_with", after.heap())
                .put("direct_bytes_before", before.direct())
                .put("direct_bytes_with", after.direct())
                .put("heap_bytes_per_session", onHeap)
                .put("direct_bytes_per_session", direct)
                .put("bound_bytes", bound);
        tell(String.format(
                Locale.ROOT,
                "%d sessions: live heap %,d to %,d bytes, outside the heap %,d to %,d; each %,.0f + %,.0f = %,.0f bytes"
                        + " (at most %,d)",
                sessions,
                before.heap(),
                after.heap(),
                before.direct(),
                after.direct(),
                onHeap,
                direct,
                onHeap + direct,
                bound));
        return onHeap + direct;
    }

    private void tell(String line) {
        if (!json.wanted()) {
            json.out().println(line);
            json.out().flush();
        }
    }
}
