package org.aspas.appserver.core;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.log.MerkleLog;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * What grows in an appserver's core: four of them and the bftservers' machine in one thread and in virtual time, with steady updates of
 * the same clients on the same objects. Prints the bytes that are reachable from one core, after each third of the updates, and where they
 * are more than before. Arguments: clients, objects, updates, retained certificates, retained milliseconds. Needs
 * {@code --add-opens java.base/P=ALL-UNNAMED} for P in java.util, java.lang, java.math, java.util.concurrent and its atomic and locks.
 */
final class CoreGrowthMain {
    private static final long MIB = 1 << 20;
    private static final long HOUR = 3_600_000;
    private static final int STEP_MILLIS = 20;
    private static final int PER_STEP = 4;
    private static final int SETTLE_MILLIS = 10_000;
    private static final int SHOWN = 12;

    private final Deployment world;
    private final List<TestClient> clients = new ArrayList<>();
    private final int keys;
    private final Random random = new Random(1);
    private final PrintStream out;
    private int done;

    private CoreGrowthMain(int count, int keys, RetentionLimits retention, PrintStream out) {
        this.world = new Deployment(7, client -> true, CoreLimits.USUAL.keeping(retention));
        this.keys = keys;
        this.out = out;
        for (int i = 0; i < count; i++) {
            TestClient client = world.client(i, i % world.cores.size());
            client.open();
            clients.add(client);
        }
    }

    /** See the class. */
    public static void main(String[] arguments) throws IllegalAccessException {
        int updates = Integer.parseInt(arguments[2]);
        RetentionLimits retention = new RetentionLimits(
                Integer.parseInt(arguments[3]),
                Long.parseLong(arguments[4]),
                64 * MIB,
                HOUR,
                1024 * MIB,
                64 * MIB,
                MerkleLog.BLOCK_LEVEL);
        CoreGrowthMain run = new CoreGrowthMain(
                Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), retention, System.out);
        Map<String, Long> before = Map.of();
        for (int third = 1; third <= 3; third++) {
            int from = run.done;
            run.update(updates / 3 * third);
            Map<String, Long> now = ReachableBytes.of(run.world.cores.get(0));
            run.show(before, now, run.done - from);
            before = now;
        }
    }

    private void update(int upTo) {
        while (done < upTo) {
            for (int i = 0; i < PER_STEP; i++) {
                one(clients.get(done++ % clients.size()));
            }
            world.run(STEP_MILLIS);
            forget();
        }
        world.run(SETTLE_MILLIS);
        forget();
    }

    private void one(TestClient client) {
        int key = random.nextInt(keys);
        if (key % 2 == 0) {
            client.update("counter-" + key, "pn-counter", Operation.of("increment", Value.of(1)));
        } else {
            client.update(
                    "set-" + key,
                    "aw-set",
                    Operation.of(random.nextBoolean() ? "add" : "remove", Value.of(random.nextInt(16))));
        }
    }

    /** What only tests keep. */
    private void forget() {
        world.stores.forEach(List::clear);
        world.leaves.forEach(Map::clear);
        for (TestClient client : clients) {
            client.received.clear();
            client.signed.clear();
            client.requests.clear();
        }
    }

    private void show(Map<String, Long> before, Map<String, Long> now, int updates) {
        long grown = ReachableBytes.total(now) - ReachableBytes.total(before);
        out.printf(
                "%d updates: %d bytes, %.2f more for each update%n",
                done, ReachableBytes.total(now), grown / (double) updates);
        if (!before.isEmpty()) {
            Comparator<String> byGrowth =
                    Comparator.comparingLong(path -> before.getOrDefault(path, 0L) - now.getOrDefault(path, 0L));
            now.keySet().stream()
                    .sorted(byGrowth)
                    .limit(SHOWN)
                    .forEach(path -> out.printf(
                            "  %9.2f %s%n",
                            (now.getOrDefault(path, 0L) - before.getOrDefault(path, 0L)) / (double) updates, path));
        }
    }
}
