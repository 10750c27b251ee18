package org.aspas.emulab.testbed.fill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.appserver.store.StoreUnusableException;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/** The scribes of all appservers but the first one. For one thread. */
final class SyntheticPeers {
    private final Deployment made;
    private final FillPlan plan;
    private final ExecutorService threads;
    private final List<SyntheticPeer> scribes = new ArrayList<>();

    /** One scribe for each appserver from 1 on; each has every so many of the clients. */
    SyntheticPeers(Deployment made, FillPlan plan, List<FillingClient> clients, ExecutorService threads) {
        this.made = made;
        this.plan = plan;
        this.threads = threads;
        int appservers = made.descriptor().quorums().appservers();
        for (int server = 1; server < appservers; server++) {
            List<FillingClient> own = new ArrayList<>();
            for (int client = server; client < clients.size(); client += appservers) {
                own.add(clients.get(client));
            }
            scribes.add(new SyntheticPeer(made, NodeId.appserver(server), own));
        }
    }

    int clients() {
        return scribes.stream().mapToInt(SyntheticPeer::clients).sum();
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
        for (SyntheticPeer scribe : scribes) {
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
        for (SyntheticPeer scribe : scribes) {
            long own = first;
            writing.add(threads.submit(() -> scribe.write(plan, own, plan.entries(), each, delivered)));
            first += each * scribe.clients();
        }
        return writing;
    }

    /** An appserver's words to a bftserver, in the names of all others. */
    void repeat(Signed<? extends Message> command, int replica, FillingOrder order) throws IOException {
        for (SyntheticPeer scribe : scribes) {
            order.received(scribe.self(), replica, scribe.says(command.message()));
        }
    }

    /** Brings all stores to where the first appserver's is. */
    void copy(Path data, BaseImage image) throws InterruptedException {
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (SyntheticPeer scribe : scribes) {
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

    /**
     * Brings the store of an appserver to where another one is, when all that either has is certified: a base with the same image, and a
     * journal that begins with the sum of that. Keys and owner stay its own.
     */
    private static final class FillingCopy {
        private static final int PAUSE_MILLIS = 20;
        private static final long PATIENCE_SECONDS = 3_600;

        /** Each server has started once. */
        private static final long STARTS = 1;

        private FillingCopy() {}

        /**
         * Writes a store, which nobody has open.
         *
         * @param image what is certified, of which nothing is in a base alone
         */
        static void write(Deployment made, NodeId self, Path data, BaseImage image)
                throws IOException, StoreUnusableException, InterruptedException {
            Path directory = data.resolve(self.toString());
            Path journal = directory.resolve(JournalStore.DIRECTORY);
            StoreOwner owner =
                    new StoreOwner(made.descriptor().id(), self, made.key(self).publicKey());
            try (EntryStore store = JournalStore.open(directory, owner, Durability.SYNC)) {
                if (store.state() != StoreState.GOOD) {
                    throw new IllegalStateException("the store of " + self + " is " + store.state());
                }
                List<String> before = files(journal);
                FillingProgress progress = new FillingProgress();
                store.keep(new Effect.Keep(image, false));
                store.append(new Ticket(1), Records.sum(STARTS, image.head()), progress);
                store.append(new Ticket(2), Records.sumEnd(), progress);
                progress.await(2);
                awaitBase(self, journal, before);
            }
        }

        /** The first segment goes when the sum and the base are durable. */
        private static void awaitBase(NodeId self, Path journal, List<String> before)
                throws IOException, InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (files(journal).containsAll(before)) {
                if (System.nanoTime() > end) {
                    throw new IOException("the base of " + self + " cannot be written");
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }

        private static List<String> files(Path directory) throws IOException {
            try (Stream<Path> files = Files.list(directory)) {
                return files.map(file -> file.getFileName().toString()).toList();
            }
        }
    }

    /**
     * Stands in for an appserver whose core does not run: goes on with its log in batches under its heads, and tells the bftservers in its
     * name what another appserver tells them. All that leaves is rightly signed. For one thread at a time.
     */
    private static final class SyntheticPeer {
        private final NodeId self;
        private final Sealer sealer;
        private final Verifier made;
        private final List<FillingClient> clients;
        private final int batchEntries;
        private final int batchBytes;
        private MerkleLog log = new MerkleLog();
        private @Nullable Message repeated;
        private byte[] repetition = {};

        /**
         * A stand-in with the key of an appserver.
         *
         * @param clients those of that appserver
         */
        SyntheticPeer(Deployment deployment, NodeId self, List<FillingClient> clients) {
            this.self = self;
            this.sealer =
                    new Sealer(deployment.key(self), deployment.descriptor().id());
            this.made = new Verifier(deployment.descriptor().id(), new MadeHere());
            this.clients = List.copyOf(clients);
            this.batchEntries = deployment.descriptor().limits().batchEntries();
            this.batchBytes = deployment.descriptor().limits().batchBytes();
        }

        /** Finds right what this process has just signed. */
        private static final class MadeHere implements SignatureScheme {
            @Override
            public Signer signer(byte[] seed) {
                throw new IllegalStateException("this scheme signs nothing");
            }

            @Override
            public boolean verify(PublicKey key, byte[] text, byte[] signature) {
                return signature.length == Ed25519.SIGNATURE_LENGTH;
            }
        }

        NodeId self() {
            return self;
        }

        int clients() {
            return clients.size();
        }

        /** How long the log is. */
        long size() {
            return log.size();
        }

        /** The core, which still runs, has sent this batch of its log; one that was sent again says nothing new. */
        void follow(Batch batch) {
            long first = batch.head().message().size() - batch.entries().size();
            for (int place = 0; place < batch.entries().size(); place++) {
                if (first + place == log.size()) {
                    log.append(batch.entries().get(place));
                }
            }
        }

        /**
         * Enters the next updates of all clients.
         *
         * @param from the place of the first update
         * @param upTo the place behind the last update there is
         * @param each how many each client makes, at most
         * @param delivered what the appserver has delivered by now
         * @return what happens to another appserver that is sent all of them
         */
        List<Event> write(FillPlan plan, long from, long upTo, long each, VersionVector delivered) {
            List<Event> sent = new ArrayList<>();
            List<byte[]> open = new ArrayList<>();
            long bytes = 0;
            long first = from;
            for (FillingClient client : clients) {
                for (long place = first; place < Math.min(first + each, upTo); place++) {
                    byte[] entry = entry(client.signed(plan.update(place)), delivered);
                    if (open.size() == batchEntries || (!open.isEmpty() && bytes + entry.length > batchBytes)) {
                        sent.add(batch(open));
                        open.clear();
                        bytes = 0;
                    }
                    log.append(entry);
                    open.add(entry);
                    bytes += entry.length;
                }
                first += each;
            }
            if (!open.isEmpty()) {
                sent.add(batch(open));
            }
            log = MerkleLog.after(log.size(), log.peaks(log.size()));
            return sent;
        }

        private byte[] entry(Signed<ClientSigned> body, VersionVector delivered) {
            long before = log.size();
            return Codec.encode(
                    new Entry(new Dot(self.index(), before + 1), delivered.with(self.index(), before), body));
        }

        private Event batch(List<byte[]> entries) {
            OpenBatch batch = OpenBatch.openedFrom(
                    new Batch(sealer.seal(new Head(self.index(), log.size(), log.root())), entries),
                    0,
                    (outcome, size) -> {});
            for (int place = 0; place < entries.size(); place++) {
                Entry entry = batch.entry(place).orElseThrow(() -> new IllegalStateException("an entry is unreadable"));
                ClientSigned request = entry.body().message();
                entry.body().verify(made, request.client().key(), Domain.REQUEST);
            }
            return new Event.NodeBatch(self, batch);
        }

        /** What this appserver tells the bftservers when another one tells them this. */
        byte[] says(Message other) {
            if (!other.equals(repeated)) {
                repetition = Codec.encode(sealer.seal(own(other)));
                repeated = other;
            }
            return repetition;
        }

        private Message own(Message other) {
            if (other instanceof VertObft report) {
                return new VertObft(self.index(), report.version(), report.heads());
            } else if (other instanceof Stable state) {
                return new Stable(
                        self.index(),
                        state.epoch(),
                        state.round(),
                        state.previous(),
                        state.version(),
                        state.roots(),
                        state.closed(),
                        state.closedRoots(),
                        state.state());
            }
            throw new IllegalStateException("an appserver tells the bftservers what only it can tell: " + other);
        }
    }
}
