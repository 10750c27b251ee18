package org.aspas.emulab.lab.fill;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.aspas.appserver.core.port.BaseImage;
import org.aspas.appserver.core.port.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.lab.deployment.Deployment;

/** The scribes of all appservers but the first one. For one thread. */
final class FillingScribes {
    private final Deployment made;
    private final FillPlan plan;
    private final ExecutorService threads;
    private final List<FillingScribe> scribes = new ArrayList<>();

    /** One scribe for each appserver from 1 on; each has every so many of the clients. */
    FillingScribes(Deployment made, FillPlan plan, List<FillingClient> clients, ExecutorService threads) {
        this.made = made;
        this.plan = plan;
        this.threads = threads;
        int appservers = made.descriptor().quorums().appservers();
        for (int server = 1; server < appservers; server++) {
            List<FillingClient> own = new ArrayList<>();
            for (int client = server; client < clients.size(); client += appservers) {
                own.add(clients.get(client));
            }
            scribes.add(new FillingScribe(made, NodeId.appserver(server), own));
        }
    }

    int clients() {
        return scribes.stream().mapToInt(FillingScribe::clients).sum();
    }

    /** An appserver that still runs has sent a batch of its log. */
    void follow(NodeId from, Batch batch) {
        scribes.get(from.index() - 1).follow(batch);
    }

    /**
     * The appservers' cores end here.
     *
     * @param version what is certified
     */
    void standIn(VersionVector version) {
        if (!joined(version).equals(version)) {
            throw new IllegalStateException("not all that is certified was sent: " + version);
        }
    }

    private VersionVector joined(VersionVector version) {
        VersionVector joined = version;
        for (FillingScribe scribe : scribes) {
            joined = joined.with(scribe.self().index(), scribe.size());
        }
        return joined;
    }

    /**
     * Begins to write the next updates of all clients.
     *
     * @param from the place of the first one
     * @param each how many each client makes, at most
     * @param certified what was certified at last: the first appserver's log has no more than that
     * @return what happens to the first appserver then
     */
    List<Future<List<Event>>> write(long from, long each, VersionVector certified) {
        VersionVector delivered = joined(certified);
        List<Future<List<Event>>> writing = new ArrayList<>();
        long first = from;
        for (FillingScribe scribe : scribes) {
            long own = first;
            writing.add(threads.submit(() -> scribe.write(plan, own, plan.entries(), each, delivered)));
            first += each * scribe.clients();
        }
        return writing;
    }

    /** An appserver's words to a bftserver, in the names of all others. */
    void repeat(Signed<? extends Message> command, int replica, FillingOrder order) throws IOException {
        for (FillingScribe scribe : scribes) {
            order.received(scribe.self(), replica, scribe.says(command.message()));
        }
    }

    /** Brings all stores to where the first appserver's is. */
    void copy(Path data, BaseImage image) throws InterruptedException {
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (FillingScribe scribe : scribes) {
            tasks.add(() -> {
                FillingCopy.write(made, scribe.self(), data, image);
                return true;
            });
        }
        for (Future<Boolean> task : threads.invokeAll(tasks)) {
            outcome(task);
        }
    }

    static <T> T outcome(Future<T> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        }
    }
}
