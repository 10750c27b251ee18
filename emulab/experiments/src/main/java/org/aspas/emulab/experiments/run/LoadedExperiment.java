package org.aspas.emulab.experiments.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import java.util.function.Function;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.deployment.TextFile;
import org.aspas.emulab.baselines.SystemCatalogue;
import org.aspas.emulab.baselines.SystemChoice;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.page.ReportPage;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.PlanFiles;
import org.aspas.emulab.experiments.plan.PlanReader;
import org.aspas.emulab.experiments.plan.PlanVocabulary;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.ShippedExperiments;
import org.aspas.emulab.experiments.plan.Substrate;
import org.aspas.emulab.experiments.result.ClaimOutcome;
import org.aspas.emulab.experiments.result.MachineFacts;
import org.aspas.emulab.experiments.result.RunFacts;
import org.aspas.emulab.experiments.result.RunFolder;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.script.JsonReport;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
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

    /** The worlds and costs of a plan: those that it names, or those that a run folder keeps. */
    private static final class FoundFiles implements PlanFiles {
        private final Function<String, Optional<String>> worlds;
        private final Function<String, Path> costs;

        private FoundFiles(Function<String, Optional<String>> worlds, Function<String, Path> costs) {
            this.worlds = worlds;
            this.costs = costs;
        }

        /** Shipped worlds, and files by their paths as they are now. */
        static FoundFiles here() {
            return new FoundFiles(
                    world -> {
                        Optional<String> shipped = ShippedWorlds.file(world);
                        return shipped.isPresent() ? shipped : text(Path.of(world));
                    },
                    Path::of);
        }

        /** Those that a run folder keeps, as they were then. */
        static FoundFiles in(RunFolder folder) {
            return new FoundFiles(world -> text(folder.world(world)), file -> folder.costsFile());
        }

        private static Optional<String> text(Path file) {
            try {
                return Optional.of(TextFile.read(file));
            } catch (TextFile.NotTextException wrong) {
                throw new IllegalArgumentException(wrong.getMessage(), wrong);
            } catch (IOException absent) {
                return Optional.empty();
            }
        }

        Optional<String> worldText(String name) {
            return worlds.apply(name);
        }

        static WorldMap world(String name, String text) throws MalformedFileException {
            return WorldReader.read(name, text, Roles::isServer);
        }

        /**
         * What work costs; empty when there is no such file.
         *
         * @param file its name in the plan; empty where the plan has none
         * @throws IllegalArgumentException when it is no file of costs, with the line
         */
        Optional<CostFile> costs(String file) throws IOException {
            Path path = costs.apply(file);
            return Files.isRegularFile(path)
                    ? Optional.of(CostFile.read(path.toString(), Files.readAllBytes(path)))
                    : Optional.empty();
        }

        @Override
        public boolean hasWorld(String name) {
            return worldText(name).isPresent();
        }

        /** Whether a world has one; false for a malformed one, which is an error of its own. */
        @Override
        public boolean hasTimeline(String world) {
            try {
                return !world(world, worldText(world).orElse("")).faults().isEmpty();
            } catch (MalformedFileException mistake) {
                return false;
            }
        }

        @Override
        public boolean hasCosts(String file) {
            return Files.isRegularFile(costs.apply(file)) && Files.isReadable(costs.apply(file));
        }
    }
}
