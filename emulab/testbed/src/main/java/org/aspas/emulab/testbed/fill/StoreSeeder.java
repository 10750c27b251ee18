package org.aspas.emulab.testbed.fill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreUnusableException;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.testbed.deployment.Deployment;

/**
 * Fills the stores of a new deployment. The cores of all servers run in this process in virtual time, over the stores and records that
 * real nodes open later. Clients sign each update, servers verify, order and certify them as always; there are no sockets. To be
 * used once.
 *
 * <p>In bulk only the first updates are made so. Then appserver 0 goes on alone with all bftservers: {@link SyntheticPeers.SyntheticPeer}s go on with
 * the logs of the others and repeat what it tells the bftservers, and {@link SyntheticPeers.FillingCopy} brings their stores to where its store is.
 */
public final class StoreSeeder implements AutoCloseable {
    private static final int STEP_MILLIS = 25;
    /** A server refuses as busy what is beyond 64 MiB without a certificate. */
    private static final long ROUND_BYTES = 16L << 20;

    private static final int ENTRY_BYTES = 400;
    private static final int UPDATES_PER_CLIENT = 1_000;
    /** In virtual time, in which a certificate takes a second. */
    private static final int PATIENCE_MILLIS = 120_000;

    /** So many updates of each client are made as always before a filling goes on in bulk. */
    static final int GENUINE_PER_CLIENT = 20;

    private static final long SHORT_FILES = 6;
    private static final long SHORTENING_SECONDS = 300;

    private final FillPlan plan;
    private final Path data;
    private final Deployment made;
    private final List<FillingServer> servers = new ArrayList<>();
    private final boolean bulk;
    private final SyntheticPeers scribes;
    /** Whether only the first appserver's core still runs. */
    private boolean alone;

    private final List<FillingClient> clients = new ArrayList<>();
    private final FillingOrder order;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
                Thread made = new Thread(task, "filling");
                made.setDaemon(true);
                return made;
            });

    private long now;
    private long done;

    /** Told how far the filling is. */
    public interface Progress {
        /**
         * A certificate covers more.
         *
         * @param entries the updates that are certified
         * @param certificate the number of the newest certificate
         */
        void certified(long entries, long certificate);
    }

    /**
     * Opens the stores.
     *
     * @param made the deployment, whose stores were just made
     * @param data where they are, a directory named as the node for each
     * @param clients how many clients make the updates, from 1; from 2 in bulk
     * @param bulk whether only the first appserver's core goes on after the first updates
     */
    public StoreSeeder(Deployment made, Path data, FillPlan plan, int clients, boolean bulk)
            throws StoreUnusableException, RecordUnusableException {
        this.plan = plan;
        this.data = data;
        this.made = made;
        this.bulk = bulk;
        int appservers = made.descriptor().quorums().appservers();
        for (int server = 0; server < appservers; server++) {
            servers.add(new FillingServer(made, NodeId.appserver(server), data, bulk && server == 0));
        }
        this.order = new FillingOrder(made, data, this::deliver);
        for (int client = 0; client < clients; client++) {
            this.clients.add(new FillingClient(made.descriptor().id(), client));
        }
        this.scribes = new SyntheticPeers(made, plan, this.clients, threads);
    }

    /** Queues a frame for an appserver; a scribe that stands in for one hears nothing. */
    private void deliver(NodeId from, int appserver, Frame frame) {
        if (appserver < servers.size()) {
            servers.get(appserver).happens(new Event.NodeFrame(from, frame));
        }
    }

    /**
     * Makes all updates, and has all of them certified.
     *
     * @return how the first appserver is then
     */
    public CoreStatus fill(Progress progress) throws IOException, InterruptedException {
        connect();
        long genuine = !bulk ? plan.entries() : (long) clients.size() * GENUINE_PER_CLIENT;
        enterAll(Math.min(plan.entries(), genuine), progress);
        if (done < plan.entries()) {
            standIn();
            writeAll(progress);
        }
        CoreStatus status = servers.get(0).status();
        end();
        return status;
    }

    /** How many updates each of so many clients makes under one certificate, at most. */
    private long perClient(int makers) {
        long bytes = ROUND_BYTES * made.descriptor().quorums().appservers() / makers;
        return Math.max(1, Math.min(UPDATES_PER_CLIENT, bytes / (plan.mostBytes() + ENTRY_BYTES)));
    }

    private void enterAll(long upTo, Progress progress) throws IOException, InterruptedException {
        long perClient = perClient(clients.size());
        while (done < upTo) {
            long from = done;
            long each = Math.min(perClient, (upTo - from + clients.size() - 1) / clients.size());
            everywhere(server -> enter(server, from, each, upTo));
            done = Math.min(upTo, from + each * clients.size());
            exchange();
            certify();
            progress.certified(done, servers.get(0).status().certificate().value());
        }
    }

    /** From now on only the first appserver's core runs. */
    private void standIn() {
        scribes.standIn(servers.get(0).status().certified());
        List<FillingServer> others = servers.subList(1, servers.size());
        others.forEach(FillingServer::close);
        others.clear();
        alone = true;
    }

    /** The scribes write the updates of the next certificate while those of this one are certified. */
    private void writeAll(Progress progress) throws IOException, InterruptedException {
        FillingServer first = servers.get(0);
        long each = perClient(scribes.clients());
        List<Future<List<Event>>> writing =
                scribes.write(done, each, first.status().certified());
        while (done < plan.entries()) {
            for (Future<List<Event>> written : writing) {
                SyntheticPeers.outcome(written).forEach(first::happens);
            }
            done = Math.min(plan.entries(), done + each * scribes.clients());
            writing = scribes.write(done, each, first.status().certified());
            exchange();
            certify();
            progress.certified(done, first.status().certificate().value());
        }
    }

    private void connect() throws IOException, InterruptedException {
        for (int server = 0; server < servers.size(); server++) {
            for (int peer = 0; peer < servers.size(); peer++) {
                if (peer != server) {
                    servers.get(server).happens(new Event.NodeConnected(NodeId.appserver(peer)));
                }
            }
            for (int replica = 0; replica < order.size(); replica++) {
                servers.get(server).happens(new Event.NodeConnected(NodeId.bftserver(replica)));
            }
        }
        order.connected();
        exchange();
        pass();
        for (int client = 0; client < clients.size(); client++) {
            clients.get(client).open(servers.get(client % servers.size()));
        }
        exchange();
        certify();
    }

    /** The updates of this round by the clients of one server. */
    private void enter(int server, long from, long each, long upTo) throws InterruptedException {
        for (int client = server; client < clients.size(); client += servers.size()) {
            long first = from + client * each;
            for (long place = first; place < Math.min(first + each, upTo); place++) {
                servers.get(server).happens(clients.get(client).update(plan.update(place)));
            }
        }
        servers.get(server).run();
    }

    private interface Work {
        void of(int server) throws InterruptedException;
    }

    /** The servers share nothing, so that each can be on a thread; what they send is given over in their order. */
    private void everywhere(Work work) throws InterruptedException {
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int server = 0; server < servers.size(); server++) {
            int one = server;
            tasks.add(() -> {
                work.of(one);
                return true;
            });
        }
        for (Future<Boolean> task : threads.invokeAll(tasks)) {
            SyntheticPeers.outcome(task);
        }
    }

    /** Carries messages until none is under way. */
    private void exchange() throws IOException, InterruptedException {
        boolean moves = true;
        while (moves) {
            everywhere(server -> servers.get(server).run());
            for (int server = 0; server < servers.size(); server++) {
                NodeId from = NodeId.appserver(server);
                for (FillingServer.Sent sent : servers.get(server).take()) {
                    give(from, sent);
                }
            }
            order.run();
            moves = servers.stream().anyMatch(FillingServer::waits);
        }
    }

    private void give(NodeId from, FillingServer.Sent sent) throws IOException {
        int to = sent.to().index();
        Signed<? extends Message> command = sent.command();
        Event event = sent.event();
        if (command != null) {
            order.received(from, to, Codec.encode(command));
            if (alone) {
                scribes.repeat(command, to, order);
            }
        } else if (event != null && to < servers.size()) {
            servers.get(to).happens(event);
            if (bulk && to == 0 && event instanceof Event.NodeBatch batch) {
                scribes.follow(from, batch.batch().batch());
            }
        }
    }

    private void pass() throws IOException, InterruptedException {
        now += STEP_MILLIS;
        servers.forEach(server -> server.happens(new Event.Tick(now)));
        order.tick(now);
        exchange();
    }

    private void certify() throws IOException, InterruptedException {
        long end = now + PATIENCE_MILLIS;
        while (!servers.stream().allMatch(this::settled)) {
            if (now > end) {
                throw new IllegalStateException("no certificate covers what was entered: "
                        + servers.get(0).status());
            }
            pass();
        }
    }

    private boolean settled(FillingServer server) {
        CoreStatus status = server.status();
        return status.certified().equals(servers.get(0).status().version())
                && status.version().equals(status.certified());
    }

    /** As servers that are told to end: their journals begin with a sum, and what is certified is in their bases. */
    private void end() throws IOException, InterruptedException {
        for (int server = 0; server < servers.size(); server++) {
            for (int client = server;
                    client < clients.size();
                    client += made.descriptor().quorums().appservers()) {
                clients.get(client).leave(servers.get(server));
            }
            servers.get(server).happens(new Event.Drain());
        }
        exchange();
        if (alone) {
            scribes.copy(data, servers.get(0).certified().orElseThrow());
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHORTENING_SECONDS);
        while (longest() > SHORT_FILES && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        }
    }

    /** How many files the longest journal has. */
    private long longest() throws IOException {
        long most = 0;
        for (int server = 0; server < servers.size(); server++) {
            Path journal = data.resolve(NodeId.appserver(server).toString()).resolve(JournalStore.DIRECTORY);
            try (Stream<Path> files = Files.list(journal)) {
                most = Math.max(most, files.count());
            }
        }
        return most;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        servers.forEach(FillingServer::close);
        order.close();
    }
}
