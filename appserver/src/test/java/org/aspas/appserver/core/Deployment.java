package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.replica.CertificateSigner;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.replica.RecordState;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.jspecify.annotations.Nullable;

/**
 * Four appserver cores and the certification machine in one thread, over a network in memory whose delays are random and
 * seeded, so that messages overtake each other. Everything that travels is encoded and decoded.
 */
final class Deployment {
    private static final int TICK_MILLIS = 20;
    /** Shells have clocks of any origin: here one that is far below 0. */
    private static final long ORIGIN_MILLIS = -1_000_000_000L;

    private static final int MOST_COMMAND_BYTES = Limits.DEFAULT.commandBytes();

    /** An alarm, and the appserver that raised it. */
    record Raised(int server, Alarm alarm) {}

    private record Due(long at, long order, Runnable action) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    final Quorums quorums = new Quorums(1, 1);
    final Hash deployment = Hash.sha256(new byte[] {42});
    /** How often signatures by a key were verified, by all servers together; of what was verified once nothing is counted again. */
    final Map<PublicKey, Integer> verified = new HashMap<>();

    final Verifier verifier = new Verifier(deployment, counting());
    final List<AppServerCore> cores = new ArrayList<>();
    final List<List<byte[]>> stores = new ArrayList<>();
    /** The blocks of leaves that each server gave away, by origin and first leaf. */
    final List<Map<List<Long>, LeafBlock>> leaves = new ArrayList<>();

    final List<MemoryBase> bases = new ArrayList<>();
    final List<Raised> alarms = new ArrayList<>();
    final Map<ConnectionId, TestClient> clients = new HashMap<>();
    final CertificationMachine machine;
    final Random random;

    /** Whether a message from one node reaches another. */
    BiPredicate<NodeId, NodeId> open = (from, to) -> true;

    /** Whether appserver 3 says to the bftservers, in its own name, whatever appserver 0 says. */
    boolean parrot;

    /** What an appserver sends to another in place of a message; null for nothing. */
    Altered altered = (from, to, message) -> message;

    /** What a server sends instead. */
    interface Altered {
        @Nullable
        Message of(int from, NodeId to, Message message);
    }

    /** Told of an appserver after a message of another node reached it. */
    IntConsumer arrived = server -> {};

    /** The connections that servers have closed. */
    final List<ConnectionId> closed = new ArrayList<>();

    /** Whether servers that are started again listen to their peers first. */
    boolean listening;

    /** Servers whose records are kept elsewhere than in {@link #stores} and {@link #bases}. */
    final Map<Integer, Storage> storages = new HashMap<>();

    /** What keeps a server's records. */
    interface Storage {
        /** Appends a record, or keeps a base's image. */
        void carryOut(Effect effect);

        /** The core that starts from what is kept; null when it ends while it starts. */
        @Nullable
        AppServerCore recovered();
    }

    /** Servers that do not run. */
    private final Set<Integer> down = new HashSet<>();

    boolean certifying = true;

    /** Whether servers verify signatures beside right tags. */
    boolean doubt;

    long now;
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private final List<Sealer> bftservers = new ArrayList<>();
    private final List<CertificateSigner> signers = new ArrayList<>();
    final List<CoreSettings> settings = new ArrayList<>();
    private long order;
    private long connections;

    Deployment(long seed) {
        this(seed, client -> true);
    }

    Deployment(long seed, Predicate<ClientId> admits) {
        this(seed, admits, CoreLimits.USUAL);
    }

    Deployment(long seed, Predicate<ClientId> admits, CoreLimits limits) {
        this.random = new Random(seed);
        Map<NodeId, PublicKey> keys = new HashMap<>();
        List<Sealer> appservers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            appservers.add(sealer(1, i));
            bftservers.add(sealer(2, i));
            keys.put(NodeId.appserver(i), appservers.get(i).publicKey());
            keys.put(NodeId.bftserver(i), bftservers.get(i).publicKey());
        }
        for (int i = 0; i < 4; i++) {
            SessionTags tags = new SessionTags(deployment, i, agreement(i), () -> now, () -> doubt);
            settings.add(new CoreSettings(i, quorums, verifier, appservers.get(i), keys, admits, limits, tags));
            cores.add(new AppServerCore(settings.get(i)));
            stores.add(new ArrayList<>());
            leaves.add(new HashMap<>());
        }
        Membership members = new Membership(
                quorums,
                appservers.stream().map(Sealer::publicKey).toList(),
                bftservers.stream().map(Sealer::publicKey).toList(),
                admits,
                verifier);
        this.machine = new CertificationMachine(members, new MachineSettings(4, 20));
        for (int i = 0; i < 4; i++) {
            signers.add(signer(i, members));
        }
        IntStream.range(0, 4).forEach(this::connectAll);
        signers.forEach(CertificateSigner::join);
    }

    private SignatureScheme counting() {
        SignatureScheme real = Ed25519Choice.ofThisProcess().scheme();
        return new SignatureScheme() {
            @Override
            public Signer signer(byte[] seed) {
                return real.signer(seed);
            }

            @Override
            public boolean verify(PublicKey key, byte[] text, byte[] signature) {
                verified.merge(key, 1, Integer::sum);
                return real.verify(key, text, signature);
            }
        };
    }

    /** How often signatures of a client were verified since the last call. */
    int takeVerified(TestClient client) {
        Integer times = verified.put(client.sealer.publicKey(), 0);
        return times == null ? 0 : times;
    }

    private CertificateSigner signer(int replica, Membership members) {
        return new CertificateSigner(
                replica,
                bftservers.get(replica),
                members,
                RecordState.ofFirstDay(),
                Hash.sha256(new byte[] {(byte) replica}),
                new CertificateSigner.Outlet() {
                    @Override
                    public void persist(RecordItem item) {
                        // Bftservers are not started again here.
                    }

                    @Override
                    public void submit(byte[] command) {
                        later(1 + random.nextInt(20), () -> order(command));
                    }

                    @Override
                    public void toAppservers(byte[] frame) {
                        toAll(replica, frame);
                    }
                });
    }

    static AgreementKey agreement(int server) {
        return AgreementKey.of(Hash.sha256(new byte[] {4, (byte) server}).toBytes());
    }

    static List<AgreementShare> agreements() {
        return IntStream.range(0, 4).mapToObj(i -> agreement(i).share()).toList();
    }

    Sealer sealer(int role, int index) {
        byte[] seed = Hash.sha256(new byte[] {(byte) role, (byte) index}).toBytes();
        return new Sealer(SigningKey.of(seed), deployment);
    }

    private void connectAll(int server) {
        for (int other = 0; other < 4; other++) {
            if (other != server) {
                step(server, new Event.NodeConnected(NodeId.appserver(other)));
            }
            step(server, new Event.NodeConnected(NodeId.bftserver(other)));
        }
    }

    /** A server does nothing more, until {@link #crash} lets it start. */
    void stop(int server) {
        down.add(server);
        clients.values().removeIf(client -> client.server == server);
        for (int other = 0; other < 4; other++) {
            if (other != server) {
                step(other, new Event.NodeGone(NodeId.appserver(server)));
            }
        }
    }

    /** Whether a server runs. */
    boolean runs(int server) {
        return !down.contains(server);
    }

    /** Replaces a core by one that recovers from what was durable; all connections break. */
    void crash(int server) {
        clients.values().removeIf(client -> client.server == server);
        Storage elsewhere = storages.get(server);
        AppServerCore started = elsewhere != null ? elsewhere.recovered() : recovered(server);
        if (started == null) {
            return;
        }
        cores.set(server, started);
        down.remove(server);
        connectAll(server);
        for (int other = 0; other < 4; other++) {
            if (other != server) {
                step(other, new Event.NodeGone(NodeId.appserver(server)));
                step(other, new Event.NodeConnected(NodeId.appserver(server)));
            }
        }
    }

    private AppServerCore recovered(int server) {
        return listening
                ? AppServerCore.introduced(settings.get(server), stored(server), StoreState.GOOD)
                : AppServerCore.recover(settings.get(server), stored(server), StoreState.GOOD);
    }

    /** From now on every server has a base. */
    void keepBases() {
        while (bases.size() < 4) {
            bases.add(new MemoryBase());
        }
    }

    private StoredHistory stored(int server) {
        List<byte[]> records = List.copyOf(stores.get(server));
        if (bases.isEmpty()) {
            return StoredHistory.of(records);
        }
        MemoryBase found = bases.get(server).copy();
        bases.set(server, found);
        return new StoredHistory() {
            @Override
            public Iterator<byte[]> iterator() {
                return records.iterator();
            }

            @Override
            public Optional<SavedBase> base() {
                return found.saved();
            }

            @Override
            public BaseReader reader() {
                return found;
            }
        };
    }

    /** A tick so long after the newest one. */
    Event.Tick tickAfter(long millis) {
        return new Event.Tick(ORIGIN_MILLIS + now + millis);
    }

    /** Replaces a core by one whose store is lost. */
    void lose(int server) {
        stores.set(server, new ArrayList<>());
        leaves.get(server).clear();
        crash(server);
    }

    TestClient client(int index, int server) {
        TestClient client = new TestClient(this, sealer(3, index), server);
        attach(client);
        return client;
    }

    void attach(TestClient client) {
        client.connection = new ConnectionId(++connections);
        clients.put(client.connection, client);
        step(client.server, new Event.ClientOpened(client.connection));
    }

    /** Sees every effect of a server before it is carried out. */
    BiConsumer<Integer, Effect> seen = (server, effect) -> {};

    void step(int server, Event event) {
        if (down.contains(server)) {
            return;
        }
        AppServerCore core = cores.get(server);
        for (Effect effect : core.step(event)) {
            seen.accept(server, effect);
            carryOut(server, core, effect);
        }
    }

    private void carryOut(int server, AppServerCore core, Effect effect) {
        if (storages.containsKey(server) && (effect instanceof Effect.Persist || effect instanceof Effect.Keep)) {
            storages.get(server).carryOut(effect);
        } else if (effect instanceof Effect.Persist persist) {
            later(1 + random.nextInt(5), () -> persisted(server, core, persist));
        } else if (effect instanceof Effect.ToClient answer) {
            TestClient client = clients.get(answer.connection());
            if (client != null) {
                client.received(decoded(Codec.encode(answer.message())));
            }
        } else if (effect instanceof Effect.ToClientSigned answer) {
            TestClient client = clients.get(answer.connection());
            if (client != null) {
                client.received(decoded(Codec.encode(answer.signed())));
            }
        } else if (effect instanceof Effect.CloseClient close) {
            clients.remove(close.connection());
            closed.add(close.connection());
        } else if (effect instanceof Effect.ToNode send) {
            Message message = altered.of(server, send.to(), send.message());
            if (message != null) {
                send(NodeId.appserver(server), send.to(), Codec.encode(message));
            }
        } else if (effect instanceof Effect.ToNodeSigned send) {
            send(NodeId.appserver(server), send.to(), Codec.encode(send.signed()));
        } else if (effect instanceof Effect.Keep keep && !bases.isEmpty()) {
            bases.get(server).keep(keep);
        } else if (effect instanceof Effect.KeepLeaves keep) {
            leaves.get(server).put(List.of((long) keep.origin(), keep.block().first()), keep.block());
        } else if (effect instanceof Effect.LoadLeaves load) {
            LeafBlock block = leaves.get(server).get(List.of((long) load.origin(), load.first()));
            later(1 + random.nextInt(5), () -> {
                if (cores.get(server) == core) {
                    step(server, new Event.LeavesLoaded(load.origin(), load.first(), block));
                }
            });
        } else if (effect instanceof Effect.DropLeaves drop) {
            leaves.get(server)
                    .entrySet()
                    .removeIf(kept -> kept.getKey().get(0) == drop.origin()
                            && kept.getValue().first() + kept.getValue().leaves() <= drop.before());
        } else if (effect instanceof Effect.Raise raise) {
            alarms.add(new Raised(server, raise.alarm()));
        }
    }

    private void persisted(int server, AppServerCore core, Effect.Persist persist) {
        if (cores.get(server) == core && persist.ticket().value() > written(core)) {
            // A later record may be reported first: then all before it were written too.
            pendingOf(core).put(persist.ticket().value(), persist.record());
            Long next = written(core) + 1;
            while (pendingOf(core).containsKey(next)) {
                stores.get(server).add(pendingOf(core).remove(next));
                written.put(core, next);
                next++;
            }
            step(server, new Event.Persisted(new Ticket(written(core))));
        }
    }

    private final Map<AppServerCore, Map<Long, byte[]>> pending = new HashMap<>();
    private final Map<AppServerCore, Long> written = new HashMap<>();

    private Map<Long, byte[]> pendingOf(AppServerCore core) {
        return pending.computeIfAbsent(core, any -> new HashMap<>());
    }

    private long written(AppServerCore core) {
        return written.getOrDefault(core, 0L);
    }

    static Frame decoded(byte[] bytes) {
        return Codec.decode(bytes).accepted().orElseThrow(() -> new AssertionError("not decodable"));
    }

    private final Map<List<NodeId>, Long> arrivals = new HashMap<>();

    private void send(NodeId from, NodeId to, byte[] bytes) {
        if (!open.test(from, to)) {
            return;
        }
        // Frames of one link come in order.
        long way = from.role() == to.role() ? 0 : farMillis;
        long at = Math.max(
                now + way + 1 + random.nextInt(spreadMillis), arrivals.getOrDefault(List.of(from, to), Long.MIN_VALUE));
        arrivals.put(List.of(from, to), at);
        later(at - now, () -> {
            if (to.role() == Role.APPSERVER) {
                step(to.index(), new Event.NodeFrame(from, decoded(bytes)));
                arrived.accept(to.index());
            } else if (to.index() == 0 && certifying) {
                order(bytes);
                if (parrot && from.equals(NodeId.appserver(0))) {
                    repeatedBy(3, decoded(bytes)).ifPresent(this::order);
                }
            }
        });
    }

    private Optional<byte[]> repeatedBy(int server, Frame frame) {
        Message message = frame instanceof Frame.Sealed sealed ? sealed.signed().message() : null;
        if (message instanceof VertObft said) {
            return Optional.of(Codec.encode(
                    settings.get(server).sealer().seal(new VertObft(server, said.version(), said.heads()))));
        }
        if (message instanceof Stable said) {
            return Optional.of(Codec.encode(settings.get(server)
                    .sealer()
                    .seal(new Stable(
                            server,
                            said.epoch(),
                            said.round(),
                            said.previous(),
                            said.version(),
                            said.roots(),
                            said.closed(),
                            said.closedRoots(),
                            said.state()))));
        }
        return Optional.empty();
    }

    /** The bftservers order a command of anybody's. */
    void order(byte[] command) {
        if (command.length > MOST_COMMAND_BYTES) {
            return;
        }
        machine.apply(command);
        for (Outcome outcome : machine.drain()) {
            for (int replica = 0; replica < 4; replica++) {
                signers.get(replica).on(outcome);
            }
        }
    }

    private void toAll(int replica, byte[] bytes) {
        for (int server = 0; server < 4; server++) {
            send(NodeId.bftserver(replica), NodeId.appserver(server), bytes);
        }
    }

    static byte[] encode(Message message) {
        return Codec.encode(message);
    }

    /** How busy the machines of the servers are, in percent. */
    int load;

    /** A frame is under way for 1 to this many milliseconds. */
    int spreadMillis = 40;

    /** How much longer the way between an appserver and a bftserver is than between appservers. */
    long farMillis;

    /** Lets something happen. */
    void later(long delay, Runnable action) {
        queue.add(new Due(now + delay, order++, action));
    }

    /** Lets time pass. */
    void run(long millis) {
        long end = now + millis;
        while (now < end) {
            long next = Math.min(end, now - now % TICK_MILLIS + TICK_MILLIS);
            while (!queue.isEmpty() && queue.element().at() <= next) {
                Due due = queue.remove();
                now = Math.max(now, due.at());
                due.action().run();
            }
            now = next;
            for (int server = 0; server < 4; server++) {
                step(server, new Event.Tick(ORIGIN_MILLIS + now, load));
            }
            if (certifying && now % 40 == 0) {
                for (int replica = 0; replica < 2; replica++) {
                    order(Codec.encode(bftservers.get(replica).seal(new Tick(replica, machine.tick() + 1))));
                }
            }
        }
    }
}
