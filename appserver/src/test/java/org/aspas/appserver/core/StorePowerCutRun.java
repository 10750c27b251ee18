package org.aspas.appserver.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.UnforcedStore.BaseLoss;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * Four servers, one of them on an {@link UnforcedStore}: clients write to it and to others, certificates come, it is drained now and then, and again
 * and again the power is cut, or its process killed, at any call of its store, starts among them. After each start: what left
 * the server is still so, whoever it went to. At the end each update counts once, all agree, and nobody was convicted.
 */
final class StorePowerCutRun {
    private static final int WHO = 1;
    private static final int STOPS = 3;
    private static final int MOST_ROUNDS = 40;

    /** The store is not what was promised. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }

        Violation(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Random random;
    private final Deployment world;
    private final UnforcedStore store;
    private final List<TestClient> writers = new ArrayList<>();
    private final Map<String, Long> written = new TreeMap<>();

    // What left the server.
    private final Map<Long, Hash> leaves = new HashMap<>();
    private final Map<Long, Hash> roots = new HashMap<>();
    private final Map<Long, Hash> chain = new HashMap<>();
    private long sizeOut;
    private long certificateOut;
    private boolean baseLost;
    private int cuts;
    private int cutsInStarts;
    private int shortened;
    private int repairs;
    private String trace = "";

    StorePowerCutRun(long seed, Path folder) {
        // The first bit of neighbouring seeds is the same.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.world = new Deployment(
                random.nextLong(), client -> true, CoreLimits.USUAL.keeping(RetentionLimits.USUAL.keeping(8, 1)));
        this.store = new UnforcedStore(world, WHO, folder, new Random(random.nextLong()));
        world.seen = (server, effect) -> {
            if (server == WHO) {
                leaves(effect);
            }
        };
    }

    /** Runs it. */
    StorePowerCutRun run() throws IOException {
        try {
            make();
            for (int stop = 0; stop < STOPS; stop++) {
                start(stop > 0);
                work();
            }
            start(true);
            store.stopAfter(Long.MAX_VALUE / 2, false, BaseLoss.UNFORCED);
            settle();
            return this;
        } catch (Violation | IllegalStateException | UncheckedIOException broken) {
            throw new Violation(broken.getMessage() + " (" + trace + ")", broken);
        } finally {
            store.release();
        }
    }

    int cuts() {
        return cuts;
    }

    int cutsInStarts() {
        return cutsInStarts;
    }

    long tailBytes() {
        return store.tailBytes();
    }

    int shortened() {
        return shortened;
    }

    int repairs() {
        return repairs;
    }

    /** The store is made with its key; the machine may stop right after that. */
    private void make() throws IOException {
        world.stop(WHO);
        store.make();
        world.storages.put(WHO, store);
        if (random.nextBoolean()) {
            store.stopAfter(0, true, BaseLoss.UNFORCED);
            store.stop();
            cuts++;
            trace += "cut after it was made; ";
        }
    }

    /** Starts it, again when it stops meanwhile. */
    private void start(boolean again) {
        do {
            choose(again);
            world.crash(WHO);
            if (store.stopped()) {
                cut();
                cutsInStarts++;
            }
        } while (store.stopped());
        check();
    }

    private void choose(boolean again) {
        boolean power = random.nextInt(4) > 0;
        BaseLoss loss =
                random.nextInt(5) > 0 ? BaseLoss.UNFORCED : random.nextBoolean() ? BaseLoss.ABSENT : BaseLoss.OLDER;
        store.stopAfter(random.nextInt(again && random.nextInt(4) == 0 ? 14 : 120), power, loss);
    }

    private void cut() {
        cuts++;
        baseLost |= store.lostBase();
        trace += store.where() + "; ";
    }

    // ---- What happens ----

    private TestClient writer(int server, int which) {
        while (writers.size() <= which) {
            TestClient made = world.client(10 + writers.size(), server);
            made.open();
            writers.add(made);
        }
        return writers.get(which);
    }

    private void write(TestClient writer) {
        String key = "n" + random.nextInt(4);
        if (random.nextInt(3) > 0) {
            written.merge(key, 1L, Long::sum);
            writer.update(key, "pn-counter", Operation.of("increment", Value.of(1)));
        } else {
            writer.update("set", "aw-set", Operation.of("add", Value.of(new byte[200 + random.nextInt(400)])));
        }
    }

    private void connect() {
        for (TestClient writer : List.of(writer(WHO, 0), writer(WHO, 1), writer(0, 2))) {
            if (writer.server == WHO && !world.clients.containsKey(writer.connection)) {
                world.attach(writer);
                writer.open();
                resend(writer);
            }
        }
    }

    /** What is neither answered nor confirmed is given again. */
    private static void resend(TestClient writer) {
        Set<Long> done = done(writer);
        writer.requests.forEach((number, request) -> {
            if (!done.contains(number)) {
                writer.resend(request);
            }
        });
    }

    private static Set<Long> done(TestClient writer) {
        Set<Long> done = new HashSet<>();
        for (Message message : writer.received) {
            if (message instanceof Answer answer && answer.response().message().isUpdate()) {
                done.add(answer.response().message().reference());
            } else if (message instanceof Confirmation confirmation) {
                confirmation.covered().forEach(one -> done.add(one.number()));
            }
        }
        return done;
    }

    private void work() {
        connect();
        int drain = random.nextInt(2) == 0 ? random.nextInt(MOST_ROUNDS) : -1;
        for (int round = 0; round < MOST_ROUNDS && !store.stopped(); round++) {
            if (round == drain) {
                world.step(WHO, new Event.Drain());
                shortened++;
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                write(writers.get(random.nextInt(writers.size())));
            }
            world.run(20 + 20 * random.nextInt(4));
            adopted();
        }
        if (!store.stopped()) {
            boolean ended = random.nextBoolean() && store.end();
            if (ended) {
                store.stopAfter(0, true, BaseLoss.UNFORCED);
                trace += "end in order, then a ";
            }
            if (!store.stopped()) {
                store.stop();
            }
        }
        cut();
    }

    /** The server is back for good: all that was given is done, once, and it agrees with the others. */
    private void settle() {
        connect();
        for (int i = 0; i < 6; i++) {
            world.run(1_000);
            connect();
            writers.forEach(StorePowerCutRun::resend);
            write(writers.get(i % 3));
            adopted();
        }
        for (int i = 0; i < 4; i++) {
            // A session that was asked for while the server was repaired is there for nobody.
            writers.stream()
                    .filter(writer -> !done(writer).containsAll(writer.requests.keySet()))
                    .forEach(TestClient::open);
            writers.forEach(StorePowerCutRun::resend);
            world.run(1_500);
        }
        adopted();
        AppServerCore core = world.cores.get(WHO);
        if (core.status().state() != ServerState.SERVING) {
            throw new Violation(
                    "STUCK: " + core.status().state() + ": " + core.status().why());
        }
        if (!world.alarms.isEmpty()) {
            throw new Violation("CONVICTED: " + world.alarms.get(0));
        }
        for (TestClient writer : writers) {
            Set<Long> missing = new TreeSet<>(writer.requests.keySet());
            missing.removeAll(done(writer));
            if (!missing.isEmpty()) {
                throw new Violation("UNANSWERED: updates " + missing + " at server " + writer.server);
            }
        }
        for (String key : written.keySet()) {
            for (int server : new int[] {WHO, 0}) {
                Value value = read(server, key);
                if (!value.equals(Value.of(written.get(key)))) {
                    throw new Violation("COUNT: " + key + " is " + value + " at server " + server + ", and "
                            + written.get(key) + " updates were acknowledged");
                }
            }
        }
        if (!core.newestCertificate()
                .map(Certificate::hash)
                .equals(world.cores.get(0).newestCertificate().map(Certificate::hash))) {
            throw new Violation("CHAIN: the newest certificates differ");
        }
    }

    private Value read(int server, String key) {
        TestClient reader = world.client(30 + writers.size() + random.nextInt(1 << 20), server);
        long nonce = reader.read(key, "pn-counter", true, 0);
        world.run(200);
        Optional<Answer> answer = reader.answer(nonce, false);
        return answer.orElseThrow(
                        () -> new Violation("UNANSWERED: a read at server " + server + " " + reader.refusals()))
                .response()
                .message()
                .result();
    }

    // ---- What must hold ----

    /** Notes what the server says in its own name. */
    private void leaves(Effect effect) {
        if (effect instanceof Effect.ToClient sent && sent.message() instanceof Answer answer) {
            answered(answer.response().message());
        } else if (effect instanceof Effect.ToNode sent) {
            Message message = sent.message();
            if (message instanceof Batch batch) {
                signed(batch.head());
            } else if (message instanceof Frontier frontier) {
                frontier.heads().forEach(this::signed);
            }
        } else if (effect instanceof Effect.ToNodeSigned sent && sent.signed().message() instanceof VertObft report) {
            report.heads().forEach(this::signed);
        }
    }

    private void signed(Signed<Head> signed) {
        Head head = signed.message();
        if (head.origin() == WHO) {
            once("DOT: two heads of size " + head.size(), roots, head.size(), head.root());
            sizeOut = Math.max(sizeOut, head.size());
        }
    }

    private void answered(Response answer) {
        if (answer.isUpdate() && answer.dot().origin() == WHO) {
            long place = answer.dot().sequence();
            once("DOT: two entries under " + answer.dot(), leaves, place, answer.leaf());
            sizeOut = Math.max(sizeOut, place);
        }
        certificateOut = Math.max(certificateOut, answer.certificate().value());
    }

    private static void once(String what, Map<Long, Hash> known, long at, Hash hash) {
        Hash before = known.putIfAbsent(at, hash);
        if (before != null && !before.equals(hash)) {
            throw new Violation(what);
        }
    }

    /** All servers are in one chain. */
    private void adopted() {
        for (int server = 0; server < 4; server++) {
            if (world.runs(server)) {
                world.cores
                        .get(server)
                        .newestCertificate()
                        .ifPresent(one -> once(
                                "CHAIN: two certificates " + one.number(),
                                chain,
                                one.number().value(),
                                one.hash()));
            }
        }
    }

    /** After a start: what left is still so. */
    private void check() {
        AppServerCore core = world.cores.get(WHO);
        ServerState state = core.status().state();
        if (state.compareTo(ServerState.AMNESIAC) >= 0) {
            throw new Violation("LOST: " + state + ": " + core.status().why());
        }
        if (state == ServerState.REPAIRING) {
            repairs++;
            if (!baseLost) {
                throw new Violation("LOST: the base: " + core.status().why());
            }
        } else {
            baseLost = false;
            // Without its base it has its own log, and delivers it when the snapshot is here.
            long size = core.version().get(WHO);
            if (size < sizeOut) {
                throw new Violation("LOST: own entries up to " + sizeOut + " left, and the store has " + size);
            }
            long number =
                    core.newestCertificate().map(one -> one.number().value()).orElse(0L);
            if (number < certificateOut) {
                throw new Violation("LOST: certificate " + certificateOut + " was named, and the store has " + number);
            }
        }
    }
}
