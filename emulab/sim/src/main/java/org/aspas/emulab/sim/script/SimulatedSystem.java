package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Sealer;
import org.aspas.emulab.sim.adversary.AdversaryContext;
import org.aspas.emulab.sim.adversary.BadClient;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.engine.Trace;
import org.aspas.emulab.sim.invariant.Detections;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.Guarantees;
import org.aspas.emulab.sim.invariant.Invariant;
import org.aspas.emulab.sim.invariant.Monitor;
import org.aspas.emulab.sim.invariant.Participants;
import org.aspas.emulab.sim.invariant.Reference;
import org.aspas.emulab.sim.invariant.UpdateAudit;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientLines;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Delays;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.node.Network;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.Processors;
import org.aspas.emulab.sim.node.ReplicaNode;
import org.aspas.emulab.sim.node.RingDelays;
import org.aspas.emulab.sim.node.Sequencer;
import org.aspas.emulab.sim.node.World;
import org.aspas.emulab.sim.node.WorldDelays;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.WorldMap;

/** All parties of a run, and what they share, made from its settings. */
final class SimulatedSystem {
    final Settings settings;
    final Quorums quorums;
    final Timeline timeline = new Timeline();
    final SeededRandom chance;
    final Participants participants;
    final Reference reference;
    final World world;
    final List<AppServerNode> servers = new ArrayList<>();
    final List<ReplicaNode> replicas = new ArrayList<>();
    final List<ClientNode> clients = new ArrayList<>();
    final Figures figures = new Figures();
    final FieldCoverage coverage = new FieldCoverage();
    final UpdateAudit accounts = new UpdateAudit();
    final Detections detections = new Detections(timeline::now, figures::submissions);
    final Sequencer sequencer;
    final Delays delays;
    private final Schedule schedule;
    private final Identities identities;
    private final Observations observations;
    private final Map<String, BadClient> badClients = new TreeMap<>();

    /**
     * The parties of a run.
     *
     * @param faults all that will go wrong: some of them count among the f or b
     */
    SimulatedSystem(Settings settings, List<Fault> faults) {
        this.settings = settings;
        this.quorums = settings.quorums();
        this.schedule = Schedule.of(Scenarios.schedule(settings.schedule()));
        this.chance = new SeededRandom(settings.seed());
        ProcessorModel model = settings.processors();
        Processors processors = model == null
                ? null
                : new Processors(timeline, model, settings.keyring().scheme());
        this.identities = new Identities(settings, processors == null ? null : processors.signatures());
        Trace trace = new Trace(settings.traced());
        this.delays = delays();
        this.participants = RoleAssignment.assign(settings, chance.stream("casting"), faults);
        this.reference = new Reference(
                participants,
                identities::index,
                server -> servers.get(server).disks().durable());
        this.world = new World(
                timeline,
                chance,
                trace,
                new Network(timeline, chance.stream("network"), delays, trace),
                new ClientLines(timeline, chance.stream("lines"), delays, trace),
                new Monitor(invariants(), timeline::now),
                processors);
        this.sequencer = new Sequencer(timeline, chance.stream("order"), trace, quorums.bftserverQuorum(), delays);
        this.observations = new Observations(participants, schedule, detections, world, clients, badClients);
        fill();
        try {
            schedule.join(this);
        } catch (MalformedFileException broken) {
            throw new IllegalArgumentException("the order of events in " + settings.schedule(), broken);
        }
    }

    private Delays delays() {
        WorldMap map = settings.world();
        if (map != null) {
            return new WorldDelays(map, quorums);
        }
        return settings.roundTripMicros() > 0
                ? RingDelays.equal(quorums.appservers(), settings.roundTripMicros())
                : RingDelays.random(chance.stream("sites"), quorums.appservers());
    }

    private List<Invariant> invariants() {
        List<Invariant> all = new ArrayList<>(Guarantees.of(participants, identities::isGenuine, reference, accounts));
        if (!settings.schedule().isEmpty()) {
            all.add(schedule);
        }
        return all;
    }

    private void fill() {
        NodeFactory nodes = new NodeFactory(settings, participants, identities, world, observations, coverage);
        for (int i = 0; i < quorums.appservers(); i++) {
            servers.add(nodes.server(i));
        }
        Membership members =
                new Membership(quorums, identities.appservers(), identities.bftservers(), identities.verifier());
        for (int i = 0; i < quorums.bftservers(); i++) {
            replicas.add(nodes.replica(i, members, sequencer));
        }
        ClientFactory made = new ClientFactory(settings, participants, identities, world, schedule, observations);
        for (int i = 0; i < settings.clients(); i++) {
            clients.add(made.client(i, figures));
        }
    }

    /** Whether an appserver's disk may be lost, damaged or old in this run. */
    boolean mayForget(int appserver) {
        return participants.forgetful().contains(appserver);
    }

    /** The descriptor of the deployment, which verifies what its parties sign in runs with real signatures. */
    DescriptorFile descriptor() {
        return identities.descriptor();
    }

    /** Whether this is a start of a correct client. */
    boolean isCorrect(ClientId start) {
        return identities.index(start).isPresent();
    }

    private void startBadClients() {
        for (String role : settings.roles()) {
            if (Roles.isClient(role)) {
                Sealer sealer = identities.badClient(role);
                AdversaryContext context = new AdversaryContext(
                        NodeId.appserver(0),
                        sealer,
                        quorums,
                        chance.stream(role),
                        timeline::now,
                        coverage,
                        identities.collusion());
                BadClient client = Roles.client(role, context, timeline, world.lines(), identities.starts());
                badClients.put(role, client);
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
        startBadClients();
        schedule.begin();
    }

    /** The longest time between two certificates so far, in microseconds. */
    long longestGap() {
        return observations.longestGap();
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
                world.monitor().check(new Fact.ClientsBanned(server.id().index(), out));
            }
        }
    }
}
