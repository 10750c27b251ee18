package org.aspas.emulab.experiments.costs;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.ObjectQueries;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.quorum.Quorums;
import org.aspas.certify.wire.VertObft;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.emulab.lab.cluster.Cluster;
import org.aspas.emulab.lab.cluster.ClusterOptions;

/**
 * Measures what a bftserver pays for an ordered command, in a whole cluster on loopback sockets with few clients: the
 * processor time of all threads that are no appserver's and no client's, by the number of commands. It counts the reports of
 * the appservers, which go through their machines; how many commands there are for each report is known from the simulator.
 */
final class OrderCosts {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long WARM_UP_MILLIS = 6_000;
    private static final long MEASURED_MILLIS = 10_000;
    private static final long PAUSE_MILLIS = 50;
    private static final NodeId ONE = NodeId.bftserver(0);

    private OrderCosts() {}

    /** Counts the reports that its core sends to one bftserver. */
    private record Counted(AppServerMachine core, LongAdder reports) implements AppServerMachine {
        @Override
        public List<Effect> step(Event event) {
            List<Effect> effects = core.step(event);
            for (Effect effect : effects) {
                if (effect instanceof Effect.ToNodeSigned send
                        && send.to().equals(ONE)
                        && send.signed().message() instanceof VertObft) {
                    reports.increment();
                }
            }
            return effects;
        }

        @Override
        public CoreStatus status() {
            return core.status();
        }

        @Override
        public ObjectQueries objects() {
            return core.objects();
        }
    }

    /**
     * What a bftserver spends for a command, all its threads together, in nanoseconds.
     *
     * @param commandsPerReport how many commands are ordered for each report of an appserver
     */
    static double perCommand(double commandsPerReport) throws IOException, InterruptedException {
        LongAdder reports = new LongAdder();
        MachineMaker counting = (settings, records, store, links) ->
                new Counted(MachineMaker.CORE.make(settings, records, store, links), reports);
        try (Cluster cluster =
                Cluster.start(new Quorums(1, 1), ClusterOptions.defaults().withMachines(server -> counting))) {
            cluster.awaitReady(PATIENCE);
            List<AspasClient> clients = new ArrayList<>();
            for (int server = 0; server < cluster.appservers(); server++) {
                clients.add(cluster.client(server, ClientOptions.defaults()));
            }
            work(clients, WARM_UP_MILLIS);
            long before = reports.sum();
            ProcessorTime time = new ProcessorTime();
            work(clients, MEASURED_MILLIS);
            double commands = (reports.sum() - before) * commandsPerReport;
            double spent = time.of(OrderCosts::isBftserver) * time.runtimeShare();
            clients.forEach(AspasClient::close);
            return commands <= 0 ? 0 : spent / cluster.bftservers() / commands;
        } catch (TimeoutException late) {
            throw new IOException(late);
        }
    }

    private static boolean isBftserver(String thread) {
        return !(thread.startsWith("aspas")
                || thread.startsWith("HttpClient")
                || thread.startsWith("link-appserver")
                || thread.startsWith("frames-appserver")
                || thread.startsWith("json-client")
                || thread.equals(Thread.currentThread().getName()));
    }

    private static void work(List<AspasClient> clients, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() - end < 0) {
            clients.forEach(client -> client.counter("costs").increment(1));
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
