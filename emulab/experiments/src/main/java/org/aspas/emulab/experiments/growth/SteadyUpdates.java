package org.aspas.emulab.experiments.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.Update;
import org.aspas.emulab.testbed.cluster.AppserverAccess;

/** The same clients update the same objects, so many times a second, until this is closed. Thread-safe. */
public final class SteadyUpdates implements AutoCloseable {
    /** An update is left out while a client has so many without an answer. */
    private static final int MOST_OPEN = 64;

    private static final double SET_ELEMENTS = 16;

    private final List<AspasClient> clients = new ArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "steady-updates");
        made.setDaemon(true);
        return made;
    });
    private final List<AtomicLong> open = new ArrayList<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong left = new AtomicLong();
    private final int keys;
    private final Random random = new Random(1);
    private int next;

    private SteadyUpdates(int keys) {
        this.keys = keys;
    }

    /**
     * Connects the clients, each with a fresh key, and begins.
     *
     * @param access how the appservers are reached; clients are spread over them
     * @param count how many clients
     * @param keys how many objects, half of them counters and half sets of up to 16 elements
     * @param perSecond how many updates a second all clients make together
     */
    public static SteadyUpdates begin(AppserverAccess access, int count, int keys, double perSecond) {
        SteadyUpdates load = new SteadyUpdates(keys);
        for (int i = 0; i < count; i++) {
            load.clients.add(access.client(i % access.appservers(), ClientOptions.defaults()));
            load.open.add(new AtomicLong());
        }
        long pause = Math.round(TimeUnit.SECONDS.toNanos(1) / perSecond);
        var unused = load.thread.scheduleAtFixedRate(load::update, 0, pause, TimeUnit.NANOSECONDS);
        return load;
    }

    private void update() {
        int client = next++ % clients.size();
        AtomicLong waiting = open.get(client);
        if (waiting.get() >= MOST_OPEN) {
            left.incrementAndGet();
            return;
        }
        waiting.incrementAndGet();
        var unused = one(clients.get(client)).answered().whenComplete((answer, problem) -> {
            waiting.decrementAndGet();
            (problem == null ? answered : failed).incrementAndGet();
        });
    }

    private Update one(AspasClient client) {
        int key = random.nextInt(keys);
        if (key % 2 == 0) {
            return client.counter("counter-" + key).increment(1);
        }
        String element = "element-" + (int) (random.nextDouble() * SET_ELEMENTS);
        var set = client.set("set-" + key);
        return random.nextBoolean() ? set.add(element) : set.remove(element);
    }

    public long answered() {
        return answered.get();
    }

    public long failed() {
        return failed.get();
    }

    /** How many updates were due and were left out, since servers were too slow for them. */
    public long leftOut() {
        return left.get();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        clients.forEach(AspasClient::close);
    }
}
