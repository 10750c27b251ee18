package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.Records;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.FinalRead;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Processors;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.node.WorldDelays;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/**
 * One run: clients work while faults happen; then the network is whole and all servers run; then all must come to rest,
 * which means that every correct appserver has the same entries of correct origins, all certified, and no client at a
 * correct appserver waits for anything; then every correct appserver is asked for all values.
 */
public final class Simulation {
    private static final long PATIENCE = 240 * Timeline.SECOND;
    private static final long LOOK = 200 * Timeline.MILLI;
    private static final long REST = Timeline.SECOND;
    /** How long an appserver has for its next answer to the questions of the end: it gives a stranger more in that time. */
    private static final long PROBE_TIME = 30 * Timeline.SECOND;

    private static final int PROBED_CLIENTS = 40;
    private static final int MOST_PROBED = 200;

    private final Settings settings;
    private final SimulatedSystem system;
    private final List<Fault> faults;
    private long probesCompleted;
    private @Nullable LoadFigures load;

    private Simulation(Settings settings) {
        this.settings = settings;
        List<Fault> plan = FaultPlan.make(
                new SeededRandom(settings.seed()).stream("faults"),
                settings.quorums(),
                settings.clients(),
                settings.micros(),
                settings.faults(),
                settings.faultPauseMicros());
        this.faults = Stream.of(plan, settings.script(), RoleSetup.faults(settings))
                .flatMap(List::stream)
                .filter(fault -> !settings.leftOut().contains(fault.number()))
                .toList();
        this.system = new SimulatedSystem(settings, faults);
    }

    /** Runs to the end, or to the first violation; an exception is one, so that a campaign goes on and names the run. */
    public static RunResult run(Settings settings) {
        Simulation simulation = new Simulation(settings);
        try {
            return simulation.run();
        } catch (RuntimeException defect) {
            simulation.system.world.monitor().broken(defect, simulation.system.timeline.now());
            return simulation.result(0);
        }
    }

    private RunResult run() {
        FaultDriver driver = new FaultDriver(system);
        faults.forEach(driver::schedule);
        WorldMap world = settings.world();
        if (world != null && system.delays instanceof WorldDelays delays) {
            new WorldTimeline(system, world, delays, driver).schedule(settings.micros());
        }
        driver.start();
        for (ClientNode client : system.clients) {
            client.work(settings.micros(), settings.pauseMicros());
        }
        Processors processors = system.world.processors();
        if (processors != null) {
            system.timeline.at(Objects.requireNonNull(settings.processors()).warmUpMicros(), () -> {
                system.figures.measureAnew();
                processors.countAnew();
            });
        }
        go(settings.micros());
        if (processors != null) {
            load = LoadFigures.of(settings, system.figures.measured(), processors);
        }
        List<String> unsettled = unsettled();
        long patience = settings.micros() + PATIENCE;
        while (!(unsettled.isEmpty() && system.world.monitor().waiting().isEmpty())
                && system.timeline.now() < patience
                && !violated()) {
            go(system.timeline.now() + LOOK);
            unsettled = unsettled();
        }
        if (!unsettled.isEmpty() || !system.world.monitor().waiting().isEmpty()) {
            system.servers.forEach(server -> server.core()
                    .ifPresent(core -> system.world
                            .trace()
                            .remark(
                                    system.timeline.now(),
                                    server.id(),
                                    core.status().toString())));
            system.replicas.forEach(
                    replica -> system.world.trace().remark(system.timeline.now(), "unsettled", replica.describe()));
        }
        long settled = system.timeline.now() - settings.micros();
        if (!violated()) {
            system.world.monitor().check(new Fact.AtRest());
            go(system.timeline.now() + REST);
            unsettled = new ArrayList<>(unsettled);
            if (settings.mostGapMicros() > 0 && system.longestGap() > settings.mostGapMicros()) {
                unsettled.add("no certificate came for " + system.longestGap() / 1_000 + " ms");
            }
            double most = settings.mostEntriesPerUpdate();
            if (most > 0 && entries() - settings.clients() > most * system.accounts.updates()) {
                unsettled.add("there are " + entries() + " entries for " + system.accounts.updates() + " updates");
            }
            List<Probe> probes = probe();
            List<FinalRead> reads =
                    probes.stream().flatMap(probe -> probe.answers().stream()).toList();
            probesCompleted = reads.size();
            Fact.Ended ended = new Fact.Ended(
                    unsettled,
                    reads,
                    probes.stream()
                            .flatMap(probe -> probe.unanswered().stream())
                            .toList());
            while (!system.world.monitor().waiting().isEmpty() && system.timeline.now() < patience && !violated()) {
                // What was found only now takes its course, too.
                go(system.timeline.now() + LOOK);
                system.lookAtBlacklists();
            }
            system.world.monitor().check(ended);
        }
        return result(settled);
    }

    private boolean violated() {
        return system.world.monitor().violated();
    }

    private void go(long until) {
        while (!violated() && system.timeline.step(until)) {
            // Each step is one event.
        }
    }

    private List<String> unsettled() {
        system.lookAtBlacklists();
        List<String> open = new ArrayList<>();
        VersionVector all = delivered();
        for (AppServerNode server : system.servers) {
            if (server.correct()) {
                look(server, all, open);
            }
        }
        return open;
    }

    /** What any correct appserver has delivered. */
    private VersionVector delivered() {
        VersionVector zero = VersionVector.zero(system.quorums.appservers());
        VersionVector all = zero;
        for (AppServerNode server : system.servers) {
            if (server.correct()) {
                all = all.join(server.core().map(AppServerCore::version).orElse(zero));
            }
        }
        return all;
    }

    private void look(AppServerNode server, VersionVector all, List<String> open) {
        VersionVector zero = VersionVector.zero(all.size());
        VersionVector delivered = server.core().map(AppServerCore::version).orElse(zero);
        VersionVector certified = server.core()
                .flatMap(AppServerCore::newestCertificate)
                .map(certificate -> certificate.content().version())
                .orElse(zero);
        for (int origin : system.participants.correctAppservers()) {
            if (delivered.get(origin) < all.get(origin) || certified.get(origin) < all.get(origin)) {
                open.add(server.id() + " has delivered " + delivered + " and certified " + certified + " of " + all);
                return;
            }
        }
    }

    private List<Probe> probe() {
        List<Probe.Question> questions = questions();
        List<Probe> probes = new ArrayList<>();
        for (int server : system.participants.correctAppservers()) {
            Probe probe = new Probe(system, server, questions);
            probe.start();
            probes.add(probe);
        }
        long patience = system.timeline.now() + PROBE_TIME;
        long answered = 0;
        while (!violated()
                && system.timeline.now() < patience
                && !probes.stream().allMatch(Probe::complete)) {
            go(Math.min(patience, system.timeline.now() + LOOK));
            long answers =
                    probes.stream().mapToLong(probe -> probe.answers().size()).sum();
            if (answers > answered) {
                // Large values come slowly, as a server shares out what it reads for those without a session.
                answered = answers;
                patience = system.timeline.now() + PROBE_TIME;
            }
        }
        return probes;
    }

    /** Every certified object by its type, and those of the workload that nobody may have touched. */
    private List<Probe.Question> questions() {
        Map<String, String> types = new TreeMap<>(system.reference.objects());
        String counter = DataTypes.PN_COUNTER.name();
        String set = DataTypes.AW_SET.name();
        types.putIfAbsent(Workload.SHARED_COUNTER, counter);
        types.putIfAbsent(Workload.SHARED_SET, set);
        types.putIfAbsent("counter/bad", counter);
        for (int client = 0; client < Math.min(settings.clients(), PROBED_CLIENTS); client++) {
            types.putIfAbsent("counter/" + client, counter);
            types.putIfAbsent("set/" + client, set);
        }
        return types.entrySet().stream()
                .limit(MOST_PROBED)
                .map(object -> new Probe.Question(object.getKey(), object.getValue()))
                .toList();
    }

    /** How many entries the correct appservers hold together. */
    private long entries() {
        VersionVector all = delivered();
        long entries = 0;
        for (int origin = 0; origin < all.size(); origin++) {
            entries += all.get(origin);
        }
        return entries;
    }

    private RunResult result(long settled) {
        long certificates = 0;
        for (AppServerNode server : system.servers) {
            long number = server.core()
                    .flatMap(AppServerCore::newestCertificate)
                    .map(newest -> newest.number().value())
                    .orElse(0L);
            certificates = server.correct() ? Math.max(certificates, number) : certificates;
        }
        return new RunResult(
                settings,
                system.world.trace().hash(),
                system.world.monitor().violations(),
                faults,
                system.world.network().disturbed(),
                system.detections.all(),
                system.detections.misdoers(),
                system.longestGap(),
                system.timeline.now(),
                settled,
                system.world.trace().events(),
                certificates,
                system.figures,
                system.coverage,
                new RunResult.Accounting(
                        system.accounts.updates(),
                        system.accounts.confirmed(),
                        system.accounts.reported(),
                        system.accounts.lost(),
                        system.accounts.forgotten(),
                        entries(),
                        probesCompleted,
                        OptionalLong.empty()),
                stores(),
                system.servers.stream()
                        .filter(AppServerNode::correct)
                        .map(server -> RunResult.Tags.of(server.tags()))
                        .reduce(RunResult.Tags.NONE, RunResult.Tags::with),
                system.world.trace().tail(),
                load);
    }

    private RunResult.Stores stores() {
        return new RunResult.Stores(
                system.participants.forgetful().size(),
                system.servers.stream()
                        .filter(server -> server.disks().appended(Records.AMNESIAC) > 0)
                        .count(),
                appended(Records.SNAPSHOT_INSTALLED),
                appended(Records.SUM_END),
                system.servers.stream()
                        .mapToLong(server -> server.disks().basesLost())
                        .sum());
    }

    private long appended(byte kind) {
        return system.servers.stream()
                .mapToLong(server -> server.disks().appended(kind))
                .sum();
    }

    /** The numbers of the faults that a run's plan has. */
    static TreeSet<Integer> faultNumbers(RunResult result) {
        TreeSet<Integer> numbers = new TreeSet<>();
        result.faults().forEach(fault -> numbers.add(fault.number()));
        return numbers;
    }
}
