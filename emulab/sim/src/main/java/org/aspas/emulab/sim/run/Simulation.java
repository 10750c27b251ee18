package org.aspas.emulab.sim.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.fault.Fault;
import org.aspas.emulab.sim.fault.FaultPlan;
import org.aspas.emulab.sim.invariant.Ending;
import org.aspas.emulab.sim.invariant.FinalRead;
import org.aspas.emulab.sim.invariant.Invariant;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Workload;

/**
 * One run: clients work while faults happen; then the network is whole and all servers run; then all must come to rest,
 * which means that every correct appserver has the same entries of correct origins, all certified, and no client at a
 * correct appserver waits for anything; then every correct appserver is asked for all values.
 */
public final class Simulation {
    private static final long PATIENCE = 240 * Timeline.SECOND;
    private static final long LOOK = 200 * Timeline.MILLI;
    private static final long REST = Timeline.SECOND;
    /** How long an appserver has for the questions of the end: what it gives a stranger in that time is several times more. */
    private static final long PROBE_TIME = 30 * Timeline.SECOND;

    private static final int PROBED_CLIENTS = 40;
    private static final int MOST_PROBED = 200;

    private final Settings settings;
    private final Stage stage;
    private final List<Fault> faults;
    private long probesCompleted;

    private Simulation(Settings settings) {
        this.settings = settings;
        List<Fault> plan = FaultPlan.make(
                new Chance(settings.seed()).stream("faults"),
                settings.quorums(),
                settings.clients(),
                settings.micros(),
                settings.faults(),
                settings.faultPauseMicros());
        this.faults = Stream.concat(plan.stream(), settings.script().stream())
                .filter(fault -> !settings.leftOut().contains(fault.number()))
                .toList();
        this.stage = new Stage(settings, faults);
    }

    /** Runs to the end, or to the first violation; an exception is one, so that a campaign goes on and names the run. */
    public static RunResult run(Settings settings) {
        Simulation simulation = new Simulation(settings);
        try {
            return simulation.run();
        } catch (RuntimeException defect) {
            simulation.stage.world.monitor().broken(defect, simulation.stage.timeline.now());
            return simulation.result(0);
        }
    }

    private RunResult run() {
        FaultDriver driver = new FaultDriver(stage);
        faults.forEach(driver::schedule);
        driver.start();
        for (ClientNode client : stage.clients) {
            client.work(settings.micros(), settings.pauseMicros());
        }
        go(settings.micros());
        List<String> unsettled = unsettled();
        long patience = settings.micros() + PATIENCE;
        while (!(unsettled.isEmpty() && stage.world.monitor().waiting().isEmpty())
                && stage.timeline.now() < patience
                && !violated()) {
            go(stage.timeline.now() + LOOK);
            unsettled = unsettled();
        }
        if (!unsettled.isEmpty() || !stage.world.monitor().waiting().isEmpty()) {
            stage.servers.forEach(server -> server.core()
                    .ifPresent(core -> stage.world
                            .trace()
                            .remark(
                                    stage.timeline.now(),
                                    server.id(),
                                    core.status().toString())));
            stage.replicas.forEach(
                    replica -> stage.world.trace().remark(stage.timeline.now(), "unsettled", replica.describe()));
        }
        long settled = stage.timeline.now() - settings.micros();
        if (!violated()) {
            stage.world.monitor().tell(Invariant::onRest);
            go(stage.timeline.now() + REST);
            unsettled = new ArrayList<>(unsettled);
            if (settings.mostGapMicros() > 0 && stage.longestGap() > settings.mostGapMicros()) {
                unsettled.add("no certificate came for " + stage.longestGap() / 1_000 + " ms");
            }
            List<Probe> probes = probe();
            List<FinalRead> reads =
                    probes.stream().flatMap(probe -> probe.answers().stream()).toList();
            probesCompleted = reads.size();
            Ending ending = new Ending(
                    unsettled,
                    reads,
                    probes.stream()
                            .flatMap(probe -> probe.unanswered().stream())
                            .toList());
            while (!stage.world.monitor().waiting().isEmpty() && stage.timeline.now() < patience && !violated()) {
                // What was found only now takes its course, too.
                go(stage.timeline.now() + LOOK);
                stage.lookAtBlacklists();
            }
            stage.world.monitor().tell((Invariant invariant) -> invariant.onEnd(ending));
        }
        return result(settled);
    }

    private boolean violated() {
        return stage.world.monitor().violated();
    }

    private void go(long until) {
        while (!violated() && stage.timeline.step(until)) {
            // Each step is one event.
        }
    }

    private List<String> unsettled() {
        stage.lookAtBlacklists();
        List<String> open = new ArrayList<>();
        VersionVector all = VersionVector.zero(stage.quorums.appservers());
        for (AppServerNode server : stage.servers) {
            if (server.correct()) {
                all = all.join(server.core()
                        .map(AppServerCore::version)
                        .orElse(VersionVector.zero(stage.quorums.appservers())));
            }
        }
        for (AppServerNode server : stage.servers) {
            if (server.correct()) {
                look(server, all, open);
            }
        }
        return open;
    }

    private void look(AppServerNode server, VersionVector all, List<String> open) {
        VersionVector zero = VersionVector.zero(all.size());
        VersionVector delivered = server.core().map(AppServerCore::version).orElse(zero);
        VersionVector certified = server.core()
                .flatMap(AppServerCore::newestCertificate)
                .map(certificate -> certificate.content().version())
                .orElse(zero);
        for (int origin : stage.cast.correctAppservers()) {
            if (delivered.get(origin) < all.get(origin) || certified.get(origin) < all.get(origin)) {
                open.add(server.id() + " has delivered " + delivered + " and certified " + certified + " of " + all);
                return;
            }
        }
    }

    private List<Probe> probe() {
        List<Probe.Question> questions = questions();
        List<Probe> probes = new ArrayList<>();
        for (int server : stage.cast.correctAppservers()) {
            Probe probe = new Probe(stage, server, questions);
            probe.start();
            probes.add(probe);
        }
        long patience = stage.timeline.now() + PROBE_TIME;
        while (!violated()
                && stage.timeline.now() < patience
                && !probes.stream().allMatch(Probe::complete)) {
            go(Math.min(patience, stage.timeline.now() + LOOK));
        }
        return probes;
    }

    /** Every certified object by its type, and those of the workload that nobody may have touched. */
    private List<Probe.Question> questions() {
        Map<String, String> types = new TreeMap<>(stage.reference.objects());
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

    private RunResult result(long settled) {
        long certificates = 0;
        for (AppServerNode server : stage.servers) {
            long number = server.core()
                    .flatMap(AppServerCore::newestCertificate)
                    .map(newest -> newest.number().value())
                    .orElse(0L);
            certificates = server.correct() ? Math.max(certificates, number) : certificates;
        }
        return new RunResult(
                settings,
                stage.world.trace().hash(),
                stage.world.monitor().violations(),
                faults,
                stage.world.network().disturbed(),
                stage.detections.all(),
                stage.detections.misdoers(),
                stage.longestGap(),
                stage.timeline.now(),
                settled,
                stage.world.trace().events(),
                certificates,
                stage.figures,
                stage.coverage,
                new RunResult.Accounting(
                        stage.accounts.updates(),
                        stage.accounts.confirmed(),
                        stage.accounts.reported(),
                        stage.accounts.lost(),
                        stage.accounts.forgotten(),
                        probesCompleted,
                        OptionalLong.empty()),
                stage.world.trace().tail());
    }

    /** The numbers of the faults that a run's plan has. */
    static TreeSet<Integer> faultNumbers(RunResult result) {
        TreeSet<Integer> numbers = new TreeSet<>();
        result.faults().forEach(fault -> numbers.add(fault.number()));
        return numbers;
    }
}
