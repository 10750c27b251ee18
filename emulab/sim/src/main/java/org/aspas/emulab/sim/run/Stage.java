package org.aspas.emulab.sim.run;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.aspas.appserver.core.Alarm;
import org.aspas.appserver.core.CoreLimits;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.CoreStatus;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.message.Accused;
import org.aspas.certify.message.Blacklist;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.Head;
import org.aspas.certify.message.InspectReply;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Signed;
import org.aspas.certify.quorum.Quorums;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.check.CertificateCheck;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.ClientSettings;
import org.aspas.client.core.port.ClientState;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.engine.Trace;
import org.aspas.emulab.sim.fault.Fault;
import org.aspas.emulab.sim.fuzz.FieldCoverage;
import org.aspas.emulab.sim.invariant.Accounts;
import org.aspas.emulab.sim.invariant.Cast;
import org.aspas.emulab.sim.invariant.Invariant;
import org.aspas.emulab.sim.invariant.Monitor;
import org.aspas.emulab.sim.invariant.Reference;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.network.Delays;
import org.aspas.emulab.sim.network.Network;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.node.LocalClock;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.ReplicaNode;
import org.aspas.emulab.sim.node.Sequencer;
import org.aspas.emulab.sim.node.ServerConduct;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.node.World;
import org.aspas.emulab.sim.role.BadClient;
import org.aspas.emulab.sim.role.ContradictionWatch;
import org.aspas.emulab.sim.role.Power;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.role.WatchedReplica;
import org.aspas.emulab.sim.role.WatchedServer;

/** Makes all parties of a run from its settings. */
final class Stage implements AppServerNode.Listener {
    private static final long SLOW_DISK = 20 * Timeline.MILLI;
    /** The most that a version vector can have. */
    private static final int MOST_SERVERS = 100;

    /** Less than usual, so that runs reach the bounds that are measured by it. */
    private static final int BATCH_BYTES = Limits.DEFAULT.batchBytes() / 8;

    /** Clients at correct servers inspect and stay, so that it shows whether they are served; the others may leave. */
    private static final Policy LOYAL = new Policy(false, 5_000, 5_000, 2_000, 0.05, 60);

    private static final Policy WARY = new Policy(true, 5_000, 5_000, 2_000, 0.05, 60);

    /** Inspects everything: where all that a liar does is proof, it is found. */
    private static final Policy WATCHFUL = new Policy(true, 5_000, 5_000, 2_000, 1, 6_000);

    /** What makes an appserver forget what it signed. */
    private static final Set<Fault.Kind> FORGETTING =
            Set.of(Fault.Kind.DISK_LOST, Fault.Kind.DISK_DAMAGED, Fault.Kind.DISK_OLD);

    final Settings settings;
    final Quorums quorums;
    final Timeline timeline = new Timeline();
    final Chance chance;
    final Cast cast;
    final Reference reference;
    final World world;
    final List<AppServerNode> servers = new ArrayList<>();
    final List<ReplicaNode> replicas = new ArrayList<>();
    final List<ClientNode> clients = new ArrayList<>();
    final Figures figures = new Figures();
    final FieldCoverage coverage = new FieldCoverage();
    private final Schedule schedule;
    final Accounts accounts = new Accounts();
    final Detections detections = new Detections(timeline, figures);
    private long newest;
    private long newestAt;
    private long longestGap;
    private final Map<String, BadClient> bad = new TreeMap<>();
    private final Hash deployment;
    private final Verifier verifier;
    final Sequencer sequencer;
    private final List<PublicKey> appserverKeys = new ArrayList<>();
    private final List<PublicKey> bftserverKeys = new ArrayList<>();
    private final EvidenceJudge judge;
    private final Map<NodeId, PublicKey> keys = new HashMap<>();

    /**
     * The parties of a run.
     *
     * @param faults all that will go wrong: some of them count among the f or b
     */
    Stage(Settings settings, List<Fault> faults) {
        this.settings = settings;
        this.quorums = settings.quorums();
        this.schedule = Schedules.named(settings.schedule());
        this.chance = new Chance(settings.seed());
        this.deployment =
                Hash.sha256(("deployment " + settings.f() + " " + settings.b()).getBytes(StandardCharsets.UTF_8));
        this.verifier = settings.keyring().verifier(deployment);
        Trace trace = new Trace(settings.traced());
        Delays delays = settings.roundTripMicros() > 0
                ? Delays.equal(quorums.appservers(), settings.roundTripMicros())
                : Delays.random(chance.stream("sites"), quorums.appservers());
        this.cast = cast(faults);
        this.reference =
                new Reference(cast, clientNames(), server -> servers.get(server).durable());
        this.world = new World(
                timeline,
                chance,
                trace,
                new Network(timeline, chance.stream("network"), delays, trace),
                new ClientLines(timeline, chance.stream("lines"), delays, trace),
                new Monitor(invariants(), timeline::now));
        this.sequencer =
                new Sequencer(timeline, chance.stream("order"), trace, quorums.bftserverQuorum(), 20 * Timeline.MILLI);
        for (int i = 0; i < quorums.appservers(); i++) {
            appserverKeys.add(sealer(NodeId.appserver(i)).publicKey());
            keys.put(NodeId.appserver(i), appserverKeys.get(i));
        }
        for (int i = 0; i < quorums.bftservers(); i++) {
            bftserverKeys.add(sealer(NodeId.bftserver(i)).publicKey());
            keys.put(NodeId.bftserver(i), bftserverKeys.get(i));
        }
        this.judge = new EvidenceJudge(quorums, appserverKeys, bftserverKeys, verifier);
        fill();
    }

    private List<Invariant> invariants() {
        List<Invariant> all = new ArrayList<>(Monitor.guarantees(cast, this::genuine, reference, accounts));
        all.add(schedule);
        return all;
    }

    private Cast cast(List<Fault> faults) {
        Chance casting = chance.stream("casting");
        boolean serversLie = settings.roles().stream().anyMatch(Roles::isServer);
        boolean replicasLie = settings.roles().stream().anyMatch(Roles::isReplica);
        Set<Integer> forgetful = serversLie || settings.strictDisks()
                ? Set.of()
                : onOldDisks(faults, Role.APPSERVER, FORGETTING, settings.f());
        Set<Integer> liars = serversLie ? some(casting, quorums.appservers(), settings.f()) : forgetful;
        Set<Integer> lyingReplicas = replicasLie
                ? some(casting, quorums.bftservers(), settings.b())
                : onOldDisks(faults, Role.BFTSERVER, Set.of(Fault.Kind.DISK_OLD), settings.b());
        Map<Integer, Integer> homes = new TreeMap<>();
        for (int client = 0; client < settings.clients(); client++) {
            homes.put(client, client % quorums.appservers());
        }
        return new Cast(
                quorums,
                liars,
                lyingReplicas,
                settings.clients(),
                homes,
                !settings.wary(),
                forgetful,
                calm() ? liars : Set.of());
    }

    /** The servers that will go on from an older disk, no more than may fail: for all others they are as bad as liars. */
    private static Set<Integer> onOldDisks(List<Fault> faults, Role role, Set<Fault.Kind> kinds, int most) {
        return faults.stream()
                .filter(fault -> kinds.contains(fault.kind()) && !fault.ofClient())
                .filter(fault -> fault.node().role() == role)
                .map(fault -> fault.node().index())
                .distinct()
                .limit(most)
                .collect(Collectors.toSet());
    }

    /** Whether an appserver's disk may be lost, damaged or old in this run. */
    boolean mayForget(int appserver) {
        return settings.strictDisks() || cast.forgetful().contains(appserver);
    }

    /** Whether nothing but lies that are proof by themselves disturbs the run. */
    private boolean calm() {
        List<String> lies = settings.roles().stream().filter(Roles::isServer).toList();
        return settings.clients() >= 3 * quorums.appservers()
                && settings.faults().isEmpty()
                && settings.script().isEmpty()
                && lies.stream().allMatch(Roles::isProvable);
    }

    private boolean genuine(Signed<Head> head) {
        int origin = head.message().origin();
        return origin >= 0
                && origin < appserverKeys.size()
                && head.verify(verifier, appserverKeys.get(origin), Domain.HEAD);
    }

    private static Set<Integer> some(Chance casting, int all, int count) {
        Set<Integer> chosen = new TreeSet<>();
        while (chosen.size() < count) {
            chosen.add(casting.index(all));
        }
        return chosen;
    }

    private Sealer sealer(NodeId node) {
        return settings.keyring().sealer(node.toString(), deployment);
    }

    private void fill() {
        Membership members = new Membership(quorums, appserverKeys, bftserverKeys, verifier);
        for (int i = 0; i < quorums.appservers(); i++) {
            servers.add(server(i));
        }
        for (int i = 0; i < quorums.bftservers(); i++) {
            replicas.add(replica(i, members));
        }
        CertificateCheck check = check(new CertificateVerifier(quorums, bftserverKeys, verifier));
        for (int i = 0; i < settings.clients(); i++) {
            clients.add(client(i, check));
        }
    }

    private LocalClock clock(String whose) {
        Chance clocks = chance.stream("clock " + whose);
        return settings.faults().isEmpty() ? LocalClock.TRUE : LocalClock.skewed(clocks);
    }

    private Power power(NodeId self) {
        return new Power(self, sealer(self), quorums, chance.stream("role " + self), timeline::now, coverage);
    }

    private String role(int place, boolean server) {
        List<String> fitting = settings.roles().stream()
                .filter(server ? Roles::isServer : Roles::isReplica)
                .toList();
        return fitting.get(place % fitting.size());
    }

    private static int place(Set<Integer> chosen, int index) {
        return new ArrayList<>(new TreeSet<>(chosen)).indexOf(index);
    }

    private static CoreLimits limits(int retainedCertificates) {
        return new CoreLimits(
                Limits.DEFAULT.keyBytes(),
                Limits.DEFAULT.operationBytes() + Limits.DEFAULT.keyBytes() + 1024,
                Limits.DEFAULT.entryBytes(MOST_SERVERS),
                Limits.DEFAULT.evidenceBytes(),
                Limits.DEFAULT.batchEntries(),
                BATCH_BYTES,
                CoreLimits.USUAL.maxPendingEntries(),
                2 * BATCH_BYTES,
                CoreLimits.USUAL.maxUnanswered(),
                retainedCertificates,
                CoreLimits.USUAL.frontierMillis(),
                3L * Limits.DEFAULT.epochTicks() * Limits.DEFAULT.tickMillis() / 4,
                CoreLimits.USUAL.repeatMillis());
    }

    private AppServerNode server(int index) {
        NodeId id = NodeId.appserver(index);
        boolean correct = cast.correct(index);
        ServerConduct conduct =
                cast.blameless(index) ? new ServerConduct() {} : watched(id, role(place(cast.liars(), index), true));
        CoreSettings core = new CoreSettings(
                index, quorums, verifier, sealer(id), keys, client -> true, limits(settings.retained()));
        return new AppServerNode(
                world, core, conduct, correct, disk("disk speed " + index), clock(id.toString()), this);
    }

    private ServerConduct watched(NodeId id, String role) {
        Runnable provable = () -> world.monitor().tell(invariant -> invariant.onMisdeed(id.index()));
        boolean inTwoEntries = Roles.isProvableByContradiction(role);
        ServerConduct watched = new WatchedServer(Roles.server(role, power(id)), () -> {
            if (detections.misdeed(id) && !inTwoEntries) {
                provable.run();
            }
        });
        return inTwoEntries
                ? new ContradictionWatch(id, watched, peer -> cast.correct(peer.index()), provable)
                : watched;
    }

    private ReplicaNode replica(int index, Membership members) {
        NodeId id = NodeId.bftserver(index);
        ReplicaConduct conduct = cast.lyingReplicas().contains(index)
                        && settings.roles().stream().anyMatch(Roles::isReplica)
                ? new WatchedReplica(
                        Roles.replica(role(place(cast.lyingReplicas(), index), false), power(id)),
                        () -> detections.misdeed(id))
                : new ReplicaConduct() {};
        Limits limits = Limits.DEFAULT;
        MachineSettings machine = new MachineSettings(limits.epochTicks(), limits.roundTicks());
        ReplicaSettings core =
                new ReplicaSettings(index, members, sealer(id), machine, limits.tickMillis(), limits.commandBytes(), 0);
        return new ReplicaNode(
                world,
                core,
                sequencer,
                conduct,
                clock(id.toString()),
                disk("record speed " + id),
                server -> convicted(index, server));
    }

    /** The longest time of a write to a disk, in microseconds. */
    private long disk(String whose) {
        return settings.faults().isEmpty() ? 0 : chance.stream(whose).pick(List.of(0L, SLOW_DISK / 10, SLOW_DISK));
    }

    private ClientNode client(int index, CertificateCheck check) {
        int home = cast.homes().getOrDefault(index, 0);
        Sealer sealer = settings.keyring().sealer("client-" + index, deployment);
        Chance own = chance.stream("application " + index);
        long drawn = own.pick(ClientNode.TOLERANCES);
        OptionalLong wanted = settings.tolerance().isPresent() ? settings.tolerance() : schedule.tolerance();
        List<Long> tolerances = wanted.isPresent() ? List.of(wanted.getAsLong()) : ClientNode.TOLERANCES;
        Chance choices = chance.stream("choices " + index);
        return new ClientNode(
                world,
                index,
                NodeId.appserver(home),
                wanted.orElse(drawn),
                tolerances,
                clock("client-" + index),
                new Workload(index, own, settings.workload()),
                figures,
                this::blamed,
                this::told,
                (record, set) -> core(sealer, home, check, record, set, choices));
    }

    private ClientCore core(
            Sealer sealer, int home, CertificateCheck check, ClientState record, long tolerance, Chance choices) {
        ClientSettings core = new ClientSettings(
                verifier,
                judge,
                quorums,
                appserverKeys,
                home,
                timeline.now() + 1,
                new ClientSettings.Bounds(
                        256, 16, 4096, 64, 512, Limits.DEFAULT.operationBytes() + Limits.DEFAULT.keyBytes(), 5_000),
                policy(home),
                true);
        return new ClientCore(
                core, new ClientId(sealer.publicKey()), sealer, check, record, tolerance, choices.generator());
    }

    private Policy policy(int home) {
        if (calm() || schedule.watchful()) {
            return WATCHFUL;
        }
        return cast.correct(home) && !settings.wary() ? LOYAL : WARY;
    }

    /** Verifies each certificate once for all clients of the run. */
    private static CertificateCheck check(CertificateVerifier verifier) {
        Map<Hash, Certificate> genuine = new HashMap<>();
        return certificate -> {
            Certificate known = genuine.get(certificate.hash());
            if (known != null) {
                return new CertificateCheck.Verdict.Genuine(known);
            }
            Optional<String> wrong = verifier.verify(certificate);
            if (wrong.isPresent()) {
                return new CertificateCheck.Verdict.Wrong(wrong.get());
            }
            genuine.put(certificate.hash(), certificate);
            return new CertificateCheck.Verdict.Genuine(certificate);
        };
    }

    private List<ClientId> clientNames() {
        List<ClientId> names = new ArrayList<>();
        for (int i = 0; i < settings.clients(); i++) {
            names.add(new ClientId(
                    settings.keyring().sealer("client-" + i, deployment).publicKey()));
        }
        return names;
    }

    /** A correct client's id. */
    ClientId name(ClientNode client) {
        return new ClientId(settings.keyring()
                .sealer("client-" + client.index(), deployment)
                .publicKey());
    }

    private void badClients() {
        List<ClientId> names = clientNames();
        for (String role : settings.roles()) {
            if (Roles.isClient(role)) {
                Sealer sealer = settings.keyring().sealer(role, deployment);
                Power power =
                        new Power(NodeId.appserver(0), sealer, quorums, chance.stream(role), timeline::now, coverage);
                BadClient client = Roles.client(role, power, timeline, world.lines(), names);
                bad.put(role, client);
                detections.misdeed(role);
                client.start(settings.micros());
            }
        }
    }

    /** Starts all parties but those that join late. */
    void start(Crashes late) {
        replicas.stream().filter(one -> !late.isAway(one.id())).forEach(ReplicaNode::start);
        servers.stream().filter(one -> !late.isAway(one.id())).forEach(AppServerNode::start);
        clients.stream().filter(one -> !late.joinsLate(one.index())).forEach(ClientNode::start);
        badClients();
        schedule.begin(this);
    }

    // ---- What is noticed ----

    private boolean lies(int server) {
        return !cast.correct(server);
    }

    private void blamed(ClientNode client, Failure failure) {
        if (lies(client.server().index())) {
            detections.noticed(Detection.Kind.NOTICED, client, client.server(), check(failure));
        }
    }

    private static String check(Failure failure) {
        return failure instanceof Failure.NotVerified found
                ? "check " + found.check().name()
                : failure.getClass().getSimpleName();
    }

    private void told(ClientNode client, ClientEvent event) {
        schedule.told(client, event);
        if (event instanceof ClientEvent.Complained complained && lies(complained.server())) {
            detections.noticed(
                    Detection.Kind.PROVED,
                    client,
                    NodeId.appserver(complained.server()),
                    complained.kind().name());
        } else if (event instanceof ClientEvent.Switched switched && lies(switched.from())) {
            detections.noticed(
                    Detection.Kind.LEFT,
                    client,
                    NodeId.appserver(switched.from()),
                    switched.why().name());
        }
    }

    @Override
    public void alarm(int server, Alarm alarm) {
        NodeId by = NodeId.appserver(server);
        if (alarm instanceof Alarm.ForkedLog forked && lies(forked.origin())) {
            detections.noticed(Detection.Kind.NOTICED, by, NodeId.appserver(forked.origin()), "a forked log");
        } else if (alarm instanceof Alarm.BrokenLog broken && lies(broken.origin())) {
            detections.noticed(Detection.Kind.NOTICED, by, NodeId.appserver(broken.origin()), "a broken log");
        } else if (alarm instanceof Alarm.ProvedFaulty proved && lies(proved.accused())) {
            detections.noticed(
                    Detection.Kind.PROVED,
                    by,
                    NodeId.appserver(proved.accused()),
                    proved.kind().name());
        }
    }

    @Override
    public void adopted(int server, Certificate certificate) {
        if (certificate.number() > newest) {
            longestGap = Math.max(longestGap, timeline.now() - newestAt);
            newest = certificate.number();
            newestAt = timeline.now();
        }
        for (Exclusion one : certificate.content().exclusions()) {
            if (lies(one.origin())) {
                detections.noticed(
                        Detection.Kind.EXCLUDED, "certificates", NodeId.appserver(one.origin()), "blacklist");
            }
        }
    }

    /** The longest time between two certificates so far, in microseconds. */
    long longestGap() {
        return longestGap;
    }

    private void convicted(int replica, int server) {
        if (lies(server)) {
            detections.noticed(
                    Detection.Kind.PROVED, NodeId.bftserver(replica), NodeId.appserver(server), "conviction");
        }
    }

    @Override
    public void sent(int server, long connection, Message message) {
        if (message instanceof InspectReply reply) {
            world.monitor().tell(invariant -> invariant.onInspected(server, reply));
        }
        if (message instanceof Blacklist word && fromSlanderer(connection)) {
            world.monitor().tell(invariant -> invariant.onFalseComplaint(server, word.finding()));
        }
        if (message instanceof Refusal refusal) {
            refused(server, connection, refusal);
        }
    }

    private boolean fromSlanderer(long connection) {
        return bad.values().stream().anyMatch(client -> client.slanders() && client.owns(connection));
    }

    private void refused(int server, long connection, Refusal refusal) {
        if (refusal.reason() == Refusal.Reason.FALSE_COMPLAINTS && fromSlanderer(connection)) {
            world.monitor().tell(invariant -> invariant.onSlandererRefused(server));
        }
        for (ClientNode client : clients) {
            if (client.connection() == connection) {
                world.monitor().tell(invariant -> invariant.onRefusal(server, client.index(), refusal));
            }
        }
        bad.forEach((role, client) -> {
            if (client.owns(connection)) {
                boolean out = refusal.reason() == Refusal.Reason.EXCLUDED;
                detections.noticed(
                        out ? Detection.Kind.EXCLUDED : Detection.Kind.REFUSED,
                        NodeId.appserver(server),
                        role,
                        refusal.reason().name());
            }
        });
    }

    /** Tells the guarantees which clients each correct appserver refuses for good. */
    void lookAtBlacklists() {
        for (AppServerNode server : servers) {
            if (server.correct() && server.core().isPresent()) {
                Set<String> out = new TreeSet<>();
                for (CoreStatus.Excluded one : server.core().get().status().blacklist()) {
                    if (one.accused() instanceof Accused.Client client) {
                        out.add(client.toString());
                    }
                }
                world.monitor().tell(invariant -> invariant.onBanned(server.id().index(), out));
            }
        }
    }
}
