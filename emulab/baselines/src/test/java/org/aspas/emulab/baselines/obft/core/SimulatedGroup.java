package org.aspas.emulab.baselines.obft.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** Replicas and clients in virtual time, from a seed: delays, order kept on each link, links that lose, one liar. */
final class SimulatedGroup {
    static final String COUNTER = "pn-counter";
    static final String SET = "aw-set";
    static final String MIXED = "mixed";

    private static final int TICK_MILLIS = 50;
    private static final int SLOWEST_MILLIS = 60;

    /** What one replica says in place of what it ought to. */
    interface Liar {
        /** The frames that go to a replica in place of one. */
        List<byte[]> instead(int to, byte[] frame);
    }

    /** Links that lose everything for a while. */
    record Cut(int from, int to, long begin, long end) {}

    private record Applier(long at, long order, Runnable what) implements Comparable<Applier> {
        @Override
        public int compareTo(Applier other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    /** One client and what it was answered. */
    final class Driver {
        final int server;
        final ObftClient client;
        final Map<Long, Runnable> ifDone = new HashMap<>();
        int left;

        Driver(int number, int operations) {
            server = number % settings.replicas();
            client = new ObftClient(number, keys.get(server).clientKey(number));
            left = operations;
        }

        void next() {
            if (left-- > 0) {
                String key = (server == liarAt ? "liar-" : "k") + random.nextInt(3);
                int kind = random.nextInt(6);
                if (kind < 2) {
                    // What these leave depends on who has seen what: replicas are compared with each other alone.
                    Value element = Value.of(left / 2);
                    Operation update = kind == 0 ? Operation.of("add", element) : Operation.of("remove", element);
                    ifDone.put(client.submit(MIXED, SET, update), () -> {});
                } else if (kind == 2) {
                    String element = "e" + random.nextInt(1_000_000_000);
                    long asked = client.submit(key, SET, Operation.of("add", Value.of(element)));
                    ifDone.put(
                            asked,
                            () -> sets.computeIfAbsent(key, any -> new TreeSet<>())
                                    .add(Value.of(element)));
                } else {
                    long amount = random.nextInt(1, 5);
                    long asked = client.submit(key, COUNTER, Operation.of("increment", Value.of(amount)));
                    ifDone.put(asked, () -> counters.merge(key, amount, Long::sum));
                }
            }
            client.next().ifPresent(frame -> later(new Event.ClientFrame(clients.indexOf(this), frame), server, 5));
        }

        void received(byte[] frame) {
            ObftClient.Completed done = client.received(frame).orElseThrow();
            ifDone.remove(done.number()).run();
            next();
        }
    }

    final ObftSettings settings;
    final List<ObftKeys> keys;
    final List<ObftReplica> replicas = new ArrayList<>();
    final Map<String, Long> counters = new TreeMap<>();
    final Map<String, TreeSet<Value>> sets = new TreeMap<>();
    final Map<Integer, List<Effect.Synchronised>> ended = new TreeMap<>();

    /** How many frames replicas have sent each other, by the first byte. */
    final Map<Integer, Integer> sent = new TreeMap<>();

    private final SplittableRandom random;
    private final PriorityQueue<Applier> queue = new PriorityQueue<>();
    private final Map<Integer, Long> lastOnLink = new HashMap<>();
    private final List<Driver> clients = new ArrayList<>();
    private final List<Cut> cuts;
    private final int liarAt;
    private final Optional<Liar> liar;
    long now;
    private long order;

    /**
     * A group that has not begun.
     *
     * @param liarAt the liar's place; -1 for none
     */
    SimulatedGroup(long seed, int f, int interval, int liarAt, Optional<LiarMaker> maker, List<Cut> cuts) {
        this.random = new SplittableRandom(seed);
        this.settings = new ObftSettings(0, f, interval, 10, 40, 20);
        this.keys = ObftKeys.deal(
                settings.replicas(),
                ("seed " + seed).getBytes(StandardCharsets.UTF_8),
                Ed25519Choice.ofThisProcess().scheme());
        this.liarAt = liarAt;
        this.liar = maker.map(made -> made.make(this));
        this.cuts = cuts;
        for (int self = 0; self < settings.replicas(); self++) {
            replicas.add(new ObftReplica(of(self), keys.get(self)));
            ended.put(self, new ArrayList<>());
        }
    }

    /** Makes a liar of a group. */
    interface LiarMaker {
        Liar make(SimulatedGroup group);
    }

    private ObftSettings of(int self) {
        return new ObftSettings(self, settings.f(), settings.interval(), 10, 40, 20);
    }

    SplittableRandom random() {
        return random;
    }

    List<Integer> correct() {
        return IntStream.range(0, settings.replicas())
                .filter(replica -> replica != liarAt)
                .boxed()
                .toList();
    }

    private void at(long time, Runnable what) {
        order++;
        queue.add(new Applier(time, order, what));
    }

    private void later(Event event, int replica, int millis) {
        at(now + millis, () -> step(replica, event));
    }

    private void step(int replica, Event event) {
        for (Effect effect : replicas.get(replica).step(event)) {
            if (effect instanceof Effect.ToReplica to) {
                List<byte[]> frames = replica == liarAt && liar.isPresent()
                        ? liar.get().instead(to.replica(), to.frame())
                        : List.of(to.frame());
                frames.forEach(frame -> send(replica, to.replica(), frame));
            } else if (effect instanceof Effect.ToClient to) {
                at(now + 5, () -> clients.get((int) to.connection()).received(to.frame()));
            } else if (effect instanceof Effect.Synchronised over) {
                ended.get(replica).add(over);
            }
        }
    }

    private void send(int from, int to, byte[] frame) {
        sent.merge(frame.length == 0 ? -1 : (int) frame[0], 1, Integer::sum);
        boolean lost = cuts.stream()
                .anyMatch(cut -> cut.from() == from && cut.to() == to && cut.begin() <= now && now < cut.end());
        if (!lost) {
            int link = from * settings.replicas() + to;
            long arrives = Math.max(now + random.nextInt(1, SLOWEST_MILLIS), lastOnLink.getOrDefault(link, 0L));
            lastOnLink.put(link, arrives);
            at(arrives, () -> step(to, new Event.ReplicaFrame(from, frame)));
        }
    }

    /** Runs clients to their end, and then the replicas until they have synchronised once more. */
    void run(int clientsPerReplica, int operations) {
        for (int number = 0; number < clientsPerReplica * settings.replicas(); number++) {
            clients.add(new Driver(number, operations));
        }
        clients.forEach(driver -> at(random.nextInt(20), driver::next));
        for (int replica = 0; replica < settings.replicas(); replica++) {
            tick(replica, random.nextInt(TICK_MILLIS));
        }
        until(
                "clients are answered",
                600_000,
                () -> clients.stream().filter(driver -> driver.server != liarAt).allMatch(driver -> driver.left < 0));
        until("links work", 600_000, () -> cuts.stream().allMatch(cut -> cut.end() < now));
        until("replicas are in one epoch", 600_000, this::inOneEpoch);
        long last = replicas.get(correct().get(0)).epoch();
        // One that stops alone is believed after a while.
        step(correct().get(0), new Event.Synchronise());
        until(
                "replicas have synchronised",
                600_000,
                () -> inOneEpoch() && replicas.get(correct().get(0)).epoch() > last);
        long rest = now + 10_000;
        until("what was entered again has arrived", 600_000, () -> now > rest && inOneEpoch());
    }

    private void tick(int replica, int millis) {
        at(now + millis, () -> {
            step(replica, new Event.Tick());
            tick(replica, TICK_MILLIS);
        });
    }

    private boolean inOneEpoch() {
        return correct().stream()
                                .map(replica -> replicas.get(replica).epoch())
                                .distinct()
                                .count()
                        == 1
                && correct().stream()
                                .map(replica -> replicas.get(replica).version())
                                .distinct()
                                .count()
                        == 1;
    }

    private interface Condition {
        boolean holds();
    }

    private void until(String what, long millis, Condition condition) {
        long deadline = now + millis;
        while (!condition.holds()) {
            Applier next = queue.remove();
            now = next.at();
            if (now > deadline) {
                throw new AssertionError("not within " + millis + " ms: " + what + "; epochs "
                        + replicas.stream().map(ObftReplica::epoch).toList() + ", versions "
                        + replicas.stream().map(ObftReplica::version).toList());
            }
            next.what().run();
        }
    }
}
