package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.certify.tag.SessionTags;
import org.aspas.emulab.sim.adversary.AdversaryContext;
import org.aspas.emulab.sim.adversary.ContradictionWatch;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.adversary.WatchedReplica;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.Participants;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.LocalClock;
import org.aspas.emulab.sim.node.ObservedBehavior;
import org.aspas.emulab.sim.node.ReplicaBehavior;
import org.aspas.emulab.sim.node.ReplicaNode;
import org.aspas.emulab.sim.node.Sequencer;
import org.aspas.emulab.sim.node.World;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;

/** Makes the appservers and bftservers of a run, each correct or with the behavior of its role. */
final class NodeFactory {
    private static final long SLOW_DISK = 20 * Timeline.MILLI;
    /** The most that a version vector can have. */
    private static final int MOST_SERVERS = 100;

    /** Less than usual, so that runs reach the bounds that are measured by it. */
    private static final int BATCH_BYTES = Limits.DEFAULT.batchBytes() / 8;

    private final Settings settings;
    private final Participants participants;
    private final Identities identities;
    private final World world;
    private final Observations observations;
    private final FieldCoverage coverage;

    NodeFactory(
            Settings settings,
            Participants participants,
            Identities identities,
            World world,
            Observations observations,
            FieldCoverage coverage) {
        this.settings = settings;
        this.participants = participants;
        this.identities = identities;
        this.world = world;
        this.observations = observations;
        this.coverage = coverage;
    }

    /** The clock of a party: skewed in runs with faults. */
    static LocalClock clock(Settings settings, World world, String whose) {
        return settings.faults().isEmpty()
                ? LocalClock.TRUE
                : LocalClock.skewed(world.chance().stream("clock " + whose));
    }

    private AdversaryContext context(NodeId self) {
        return new AdversaryContext(
                self,
                identities.sealer(self),
                settings.quorums(),
                world.chance().stream("role " + self),
                world.timeline()::now,
                coverage,
                identities.collusion());
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

    /** What is kept is kept for as long as it takes to make as many certificates. */
    private static final long CERTIFICATE_MILLIS = 300;

    /** So many bytes are kept for each certificate: less than some add, so that now and then the bound in bytes decides. */
    private static final long CERTIFICATE_BYTES = 4096;

    /** The backlog in percent with which servers do most seldom what can wait. */
    private static final int BUSY = 100;

    /** So small that logs of a few hundred entries give blocks away. */
    private static final int LEAF_BLOCK_LEVEL = 3;

    private static RetentionLimits retention(int certificates) {
        RetentionLimits usual = RetentionLimits.USUAL;
        long millis = certificates * CERTIFICATE_MILLIS;
        return new RetentionLimits(
                certificates,
                millis,
                Math.min(usual.bytes(), certificates * CERTIFICATE_BYTES),
                2 * millis,
                usual.leafBytes(),
                usual.uncertifiedBytes(),
                LEAF_BLOCK_LEVEL);
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
                retention(retainedCertificates),
                CoreLimits.USUAL.frontierMillis(),
                CoreLimits.USUAL.reportMillis(),
                CoreLimits.USUAL.repeatMillis());
    }

    /** An appserver that does not run yet. */
    AppServerNode server(int index) {
        NodeId id = NodeId.appserver(index);
        ObservedBehavior observed = participants.lies(index) ? byzantine(id) : ObservedBehavior.CORRECT;
        boolean os = Scenarios.schedule(settings.schedule()).has("os");
        CoreSettings core = new CoreSettings(
                index,
                settings.quorums(),
                identities.verifier(),
                identities.sealer(id),
                identities.nodes(),
                client -> true,
                settings.processors() == null
                        ? limits(RoleSetup.retained(settings))
                        : CoreLimits.of(Limits.DEFAULT, settings.quorums().appservers()),
                tags(index));
        return new AppServerNode(
                        world,
                        core,
                        observed,
                        Math.max(disk("disk speed " + index), os ? SLOW_DISK : 0),
                        os,
                        clock(settings, world, id.toString()),
                        participants.correct(index) ? observations : null)
                .behind(backlog(id));
    }

    /** How often a right tag is not believed. */
    private static final double DOUBT = 1.0 / 64;

    private SessionTags tags(int index) {
        TagBounds tagging = TagBounds.of(settings);
        SeededRandom doubts = world.chance().stream("doubts of appserver-" + index);
        return new SessionTags(
                identities.verifier().deployment(),
                index,
                identities.agreement(index),
                () -> world.timeline().now() / Timeline.MILLI,
                () -> doubts.happens(DOUBT),
                tagging.known());
    }

    /** How far a server's core is behind, in percent. Where events come in an exact order it mostly has no time to spare. */
    private int backlog(NodeId id) {
        if (settings.exact()) {
            return Scenarios.schedule(settings.schedule()).has("idle") ? 0 : BUSY;
        }
        return settings.faults().isEmpty()
                ? 0
                : world.chance().stream(id + " load").pick(List.of(0, BUSY - 30, BUSY));
    }

    private ObservedBehavior byzantine(NodeId id) {
        WorldMap map = settings.world();
        WorldFault.Misbehave named =
                map == null ? null : map.misbehaviour(id.index()).orElse(null);
        return named == null
                ? byzantine(id, role(place(participants.liars(), id.index()), true), 0)
                : byzantine(id, named.role(), named.begins());
    }

    private ObservedBehavior byzantine(NodeId id, String role, long begins) {
        Runnable provable = () -> world.monitor().check(new Fact.Misbehaved(id.index()));
        ObservedBehavior.Witness witness = Roles.isProvableByContradiction(role)
                ? new ContradictionWatch(
                        id, peer -> participants.correct(peer.index()), what -> observations.misdeed(id), provable)
                : what -> {
                    if (observations.misdeed(id)) {
                        provable.run();
                    }
                };
        return new ObservedBehavior(
                Roles.server(role, context(id)), () -> world.timeline().now() >= begins, witness);
    }

    /** A bftserver that does not run yet. */
    ReplicaNode replica(int index, Membership members, Sequencer sequencer) {
        NodeId id = NodeId.bftserver(index);
        ReplicaBehavior behavior = participants.lyingReplicas().contains(index)
                        && settings.roles().stream().anyMatch(Roles::isReplica)
                ? new WatchedReplica(
                        Roles.replica(role(place(participants.lyingReplicas(), index), false), context(id)),
                        () -> observations.misdeed(id))
                : new ReplicaBehavior() {};
        Limits limits = Limits.DEFAULT;
        MachineSettings machine = new MachineSettings(limits.epochTicks(), limits.roundTicks());
        ReplicaSettings core = new ReplicaSettings(
                index, members, identities.sealer(id), machine, limits.tickMillis(), limits.commandBytes(), 0);
        return new ReplicaNode(
                world,
                core,
                sequencer,
                behavior,
                clock(settings, world, id.toString()),
                recordDisks(),
                server -> observations.convicted(index, server));
    }

    /** The longest time of a write to a disk, in microseconds. */
    private long disk(String whose) {
        return settings.faults().isEmpty()
                ? 0
                : world.chance().stream(whose).pick(List.of(0L, SLOW_DISK / 10, SLOW_DISK));
    }

    /**
     * The same for the disks of all bftservers, and now and then much slower than the order: only then a promise could leave
     * all of them before any has recorded it.
     */
    private long recordDisks() {
        return settings.faults().isEmpty()
                ? 0
                : world.chance().stream("record disks").pick(List.of(0L, SLOW_DISK / 10, SLOW_DISK, 5 * SLOW_DISK));
    }
}
