package org.aspas.appserver.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.store.StoreOnLayer;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Read;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * The files of a whole store of a server that was drained, started again and used, cut short and with flipped bits, one place at a time; and
 * starts from them.
 */
final class DamagedStores {
    private static final int WHO = 1;
    private static final ConnectionId CONNECTION = new ConnectionId(9_999);

    /** What became of a start. */
    enum Outcome {
        /** The start names the damaged file and the byte, and refuses. */
        NAMED,
        /** Nothing is lost. */
        WHOLE,
        /** What is certified comes from the peers; the server knows what it signed. */
        REPAIRING,
        /** The server signs nothing any more. */
        AMNESIAC,
        /** The end of the journal was cut off, and that is said in bytes; no own entry was in it. */
        TAIL_CUT,
        /** The end of the journal was cut off, that is said in bytes, and own entries that had left were in it. */
        DOT_TWICE
    }

    private final Deployment world =
            new Deployment(7, client -> true, CoreLimits.USUAL.keeping(RetentionLimits.USUAL.keeping(8, 1)));
    private final Path folder;
    private final boolean closed;
    private final AppServerCore whole;
    private final Value wholeValue;
    private final List<String> files = new ArrayList<>();
    /** By what was damaged: how often which outcome. */
    final Map<String, Map<Outcome, Integer>> table = new TreeMap<>();

    /** The cases in which a dot could come twice. */
    final List<String> twice = new ArrayList<>();

    /**
     * Makes the store.
     *
     * @param closed whether its process ended in order, not by a kill
     */
    DamagedStores(Path folder, boolean closed) throws IOException {
        this.folder = folder;
        this.closed = closed;
        UnforcedStore store = new UnforcedStore(world, WHO, folder.resolve("store"), new Random(7));
        world.stop(WHO);
        store.make();
        world.storages.put(WHO, store);
        world.crash(WHO);
        write(20);
        // A drained server that has started before writes a sum, and makes its journal shorter.
        store.stop();
        world.crash(WHO);
        write(40);
        world.step(WHO, new Event.Drain());
        world.run(500);
        store.stop();
        world.crash(WHO);
        write(25);
        world.run(500);
        // Nobody else has the newest ones.
        world.certifying = false;
        world.open = (from, to) -> !from.equals(NodeId.appserver(WHO));
        write(5);
        if (closed) {
            store.end();
        } else {
            store.stop();
        }
        store.copyTo(folder.resolve("whole"));
        store.release();
        try (Stream<Path> all = Files.walk(folder.resolve("whole"))) {
            all.filter(Files::isRegularFile)
                    .map(file -> folder.resolve("whole").relativize(file).toString())
                    .filter(name -> !name.endsWith("LOCK") && !name.endsWith("LOG"))
                    .filter(name ->
                            folder.resolve("whole").resolve(name).toFile().length() > 0)
                    .sorted()
                    .forEach(files::add);
        }
        Path untouched = copied();
        try (EntryStore opened = open(untouched)) {
            whole = AppServerCore.recover(world.settings.get(WHO), opened.records(), opened.state());
            if (opened.records().iterator().next()[0] != Records.SUM) {
                throw new AssertionError("the journal was not made shorter");
            }
        }
        delete(untouched);
        wholeValue = value(whole);
    }

    private void write(int times) {
        TestClient own = world.client(10 + (int) world.now, WHO);
        own.open();
        TestClient other = world.client(100_000 + (int) world.now, 0);
        other.open();
        for (int i = 0; i < times; i++) {
            own.update("n", "pn-counter", Operation.of("increment", Value.of(1)));
            other.update("set", "aw-set", Operation.of("add", Value.of(new byte[100 + i])));
            world.run(60);
        }
    }

    private StoreOwner owner() {
        return new StoreOwner(
                world.deployment,
                NodeId.appserver(WHO),
                world.settings.get(WHO).sealer().publicKey());
    }

    private EntryStore open(Path data) throws IOException {
        return StoreOnLayer.open(
                DirectoryFiles.open(data.resolve("journal")),
                data,
                owner(),
                name -> Executors.newSingleThreadScheduledExecutor());
    }

    private Path copied() throws IOException {
        Path to = folder.resolve("damaged");
        for (String name : files.isEmpty() ? all() : files) {
            Path file = to.resolve(name);
            Files.createDirectories(file.getParent());
            Files.copy(folder.resolve("whole").resolve(name), file);
        }
        return to;
    }

    private List<String> all() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("whole"))) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.resolve("whole").relativize(file).toString())
                    .toList();
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(directory)) {
            all = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path one : all) {
            Files.delete(one);
        }
    }

    /** Damages one place, and starts. */
    Outcome trial(long seed) throws IOException {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        String name = files.get(random.nextInt(files.size()));
        Path data = copied();
        Path file = data.resolve(name);
        byte[] bytes = Files.readAllBytes(file);
        boolean cut = random.nextInt(3) == 0;
        int used = bytes.length;
        while (used > 1 && bytes[used - 1] == 0) {
            used--;
        }
        int at = random.nextInt(cut || random.nextInt(8) == 0 ? bytes.length : used);
        if (cut) {
            Files.write(file, Arrays.copyOf(bytes, at));
        } else {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
        }
        String what = "seed " + seed + ": " + name + (cut ? " cut to " : ", bit flipped in byte ") + at;
        try {
            Outcome outcome = started(data, file, what);
            String kind = (name.startsWith("base") ? "base" : name.endsWith("manifest") ? "manifest" : "segments")
                    + (cut ? ", cut short" : ", a bit flipped");
            table.computeIfAbsent(kind, any -> new TreeMap<>()).merge(outcome, 1, Integer::sum);
            return outcome;
        } finally {
            delete(data);
        }
    }

    private Outcome started(Path data, Path file, String what) throws IOException {
        EntryStore store;
        try {
            store = open(data);
        } catch (JournalDamagedException damaged) {
            if (!damaged.getMessage().contains(file + ", byte ")) {
                throw new AssertionError(what + ": " + damaged.getMessage());
            }
            return Outcome.NAMED;
        }
        try (store) {
            AppServerCore core = AppServerCore.recover(world.settings.get(WHO), store.records(), store.state());
            return judged(core, store.tailCutBytes(), what);
        }
    }

    private Outcome judged(AppServerCore core, long tailBytes, String what) {
        ServerState state = core.status().state();
        if (state == ServerState.REPAIRING) {
            return Outcome.REPAIRING;
        }
        if (state == ServerState.AMNESIAC) {
            return Outcome.AMNESIAC;
        }
        if (state.compareTo(ServerState.AMNESIAC) > 0) {
            throw new AssertionError(what + ": " + state + " " + core.status().why());
        }
        if (core.version().equals(whole.version()) && core.newestCertificate().equals(whole.newestCertificate())) {
            if (!value(core).equals(wholeValue)) {
                throw new AssertionError(what + ": it serves " + value(core) + " in place of " + wholeValue);
            }
            return Outcome.WHOLE;
        }
        if (tailBytes == 0 || closed || !whole.version().dominates(core.version())) {
            throw new AssertionError(what + ": lost without a word, or served what never was: " + core.version()
                    + " of " + whole.version() + ", tail " + tailBytes + " bytes");
        }
        long lost = whole.version().get(WHO) - core.version().get(WHO);
        if (lost == 0) {
            return Outcome.TAIL_CUT;
        }
        twice.add(what + ": tail cut " + tailBytes + " bytes, own entries "
                + (core.version().get(WHO) + 1) + " to " + whole.version().get(WHO));
        return Outcome.DOT_TWICE;
    }

    private Value value(AppServerCore core) {
        Queue<Event> events = new ArrayDeque<>(List.of(
                world.tickAfter(0),
                new Event.ClientOpened(CONNECTION),
                new Event.ClientFrame(
                        CONNECTION,
                        new Frame.Plain(new Read(1, "n", "pn-counter", false, CertificateNumber.NONE, null)))));
        Value value = Value.of(-1);
        while (!events.isEmpty()) {
            for (Effect effect : core.step(events.remove())) {
                if (effect instanceof Effect.Persist persist) {
                    events.add(new Event.Persisted(persist.ticket()));
                } else if (effect instanceof Effect.ToClient sent && sent.message() instanceof Answer answer) {
                    value = answer.response().message().result();
                }
            }
        }
        if (value.equals(Value.of(-1))) {
            throw new AssertionError("a read is not answered");
        }
        return value;
    }

    /** How often which outcome came, of each kind of damage. */
    String report() {
        StringBuilder report = new StringBuilder();
        table.forEach((kind, outcomes) ->
                report.append("| ").append(kind).append(" | ").append(outcomes).append(" |\n"));
        twice.forEach(one -> report.append(one).append('\n'));
        return report.toString();
    }
}
