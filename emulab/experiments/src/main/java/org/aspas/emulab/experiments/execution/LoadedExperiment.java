package org.aspas.emulab.experiments.execution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.quorum.Quorums;
import org.aspas.client.deployment.TextFile;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.costs.CostMeasurement;
import org.aspas.emulab.experiments.folder.MachineFacts;
import org.aspas.emulab.experiments.folder.RunFacts;
import org.aspas.emulab.experiments.folder.RunFolder;
import org.aspas.emulab.experiments.page.ReportPage;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.PlanReader;
import org.aspas.emulab.experiments.plan.PlanVocabulary;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.ShippedExperiments;
import org.aspas.emulab.experiments.plan.Substrate;
import org.aspas.emulab.experiments.result.ClaimOutcome;
import org.aspas.emulab.rivals.SystemCatalogue;
import org.aspas.emulab.rivals.SystemChoice;
import org.aspas.emulab.sim.processor.CostFile;
import org.aspas.emulab.sim.report.JsonReport;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.yaml.MalformedFileException;
import org.aspas.emulab.workload.WorkloadDefinition;

/**
 * An experiment with all that it names.
 *
 * @param quick whether its quick block shortened it
 * @param text the text of its file
 * @param worldTexts the file of each world, by its name in the plan
 * @param worlds each world, by its name in the plan
 * @param costs what work costs in the simulator; empty when a run is to measure it
 */
public record LoadedExperiment(
        ExperimentPlan plan,
        boolean quick,
        String text,
        SortedMap<String, String> worldTexts,
        Map<String, WorldMap> worlds,
        Optional<CostFile> costs) {
    /**
     * The experiment of a name or a file.
     *
     * @throws MalformedFileException with the first mistake of its file, or of a world's
     * @throws IllegalArgumentException when a world has a fault that never happens: after the end of a step, or of a server that is not
     *     there; or when two worlds have files of one name
     * @throws IOException when there is no such file
     */
    public static LoadedExperiment of(String name, boolean quick) throws MalformedFileException, IOException {
        Optional<String> shipped = ShippedExperiments.file(name);
        String text = shipped.isPresent() ? shipped.get() : TextFile.read(Path.of(name));
        LoadedExperiment loaded = of(name, text, quick, FoundFiles.here());
        loaded.checkTimelines();
        return loaded;
    }

    /** Refuses a fault that never happens. A run folder is not asked: what it measured is what it measured. */
    private void checkTimelines() {
        for (PlannedStep step : plan.steps()) {
            WorldMap world = Objects.requireNonNull(worlds.get(step.world()));
            world.idle(new Quorums(step.f(), step.b()), step.micros()).ifPresent(why -> {
                throw new IllegalArgumentException("part " + step.part() + ": world " + step.world() + " " + why
                        + (quick ? " (with --quick)" : ""));
            });
        }
    }

    /**
     * The experiment of a run folder, with the worlds as they were then.
     *
     * @throws MalformedFileException when its files were changed
     * @throws IOException when there is none
     */
    public static LoadedExperiment of(RunFolder folder) throws MalformedFileException, IOException {
        boolean quick = folder.facts().quick();
        return of(folder.planFile().toString(), folder.plan(), quick, FoundFiles.in(folder));
    }

    private static LoadedExperiment of(String name, String text, boolean quick, FoundFiles files)
            throws MalformedFileException, IOException {
        ExperimentPlan plan = PlanReader.read(name, text, quick, vocabulary(), files);
        SortedMap<String, String> texts = new TreeMap<>();
        Map<String, WorldMap> worlds = new LinkedHashMap<>();
        Map<String, String> kept = new TreeMap<>();
        for (String world :
                plan.steps().stream().map(PlannedStep::world).distinct().toList()) {
            String found = files.worldText(world).orElseThrow(() -> new IllegalStateException("no world " + world));
            String other = kept.putIfAbsent(RunFolder.worldFile(world), world);
            if (other != null) {
                throw new IllegalArgumentException("the worlds " + other + " and " + world
                        + " have files of one name, and the folder of a run keeps both: rename one of them");
            }
            texts.put(world, found);
            worlds.put(world, FoundFiles.world(world, found));
        }
        return new LoadedExperiment(plan, quick, text, texts, worlds, files.costs(plan.costs()));
    }

    private static PlanVocabulary vocabulary() {
        return new PlanVocabulary(
                new PlanVocabulary.Names(
                        SystemCatalogue.inWorlds().stream()
                                .map(SystemChoice::name)
                                .toList(),
                        NamedWorkloads.all().stream()
                                .map(WorkloadDefinition::label)
                                .toList()),
                new PlanVocabulary.Names(SimulatedSteps.systems(), SimulatedSteps.workloads()),
                StepFigures.names());
    }

    /**
     * Begins a run in a folder, or goes on with one that was cut off there.
     *
     * @param command how it was started, for the record
     * @throws IllegalArgumentException when the folder holds a run of something else
     */
    public ExperimentExecution in(RunFolder folder, String command, Terminal terminal) throws IOException {
        RunFacts facts = new RunFacts(
                JsonReport.SCHEMA_VERSION,
                plan.name(),
                quick,
                hash(text),
                hashes(),
                plan.seed(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                command,
                MachineFacts.now());
        if (folder.begun()) {
            RunFacts before = folder.facts();
            boolean sameCosts =
                    costs.isEmpty() || folder.costs().map(costs.get()::equals).orElse(false);
            if (!sameCosts
                    || !before.planHash().equals(facts.planHash())
                    || !before.worldHashes().equals(facts.worldHashes())
                    || before.quick() != quick) {
                throw new IllegalArgumentException(
                        folder.path() + " holds a run of " + before.experiment() + " with other settings");
            }
        } else {
            if (costs.isPresent()) {
                folder.put(costs.get());
            }
            folder.begin(facts, text, worldTexts);
        }
        return new ExperimentExecution(
                terminal,
                folder,
                plan,
                worlds,
                Map.of(
                        Substrate.SOCKETS,
                        new SocketSteps(worlds),
                        Substrate.SIMULATOR,
                        new SimulatedSteps(worlds, () -> costs(folder, terminal))));
    }

    /** What work costs in a run: what its folder keeps, else it is measured now and kept there. */
    private static CostFile costs(RunFolder folder, Terminal terminal) throws IOException {
        Optional<CostFile> kept = folder.costs();
        if (kept.isPresent()) {
            return kept.get();
        }
        CostFile measured = CostMeasurement.measure(line -> terminal.line("  " + line));
        folder.put(measured);
        return measured;
    }

    /** Writes the page of a folder anew, from what is in it. */
    public List<ClaimOutcome> page(RunFolder folder) throws IOException {
        return ReportPage.write(folder, plan, worlds);
    }

    private SortedMap<String, String> hashes() {
        SortedMap<String, String> hashes = new TreeMap<>();
        worldTexts.forEach((name, world) -> hashes.put(name, hash(world)));
        return hashes;
    }

    private static String hash(String text) {
        return Hash.sha256(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
