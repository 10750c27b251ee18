package org.aspas.emulab.experiments.execution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.certify.identity.Hash;
import org.aspas.emulab.experiments.Terminal;
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
import org.aspas.emulab.sim.report.JsonReport;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.aspas.emulab.sim.yaml.MalformedFileException;
import org.aspas.emulab.workload.WorkloadDefinition;

/**
 * An experiment with all that it names.
 *
 * @param plan what to run
 * @param quick whether its quick block shortened it
 * @param text its file
 * @param worldTexts the file of each world, by its name in the plan
 * @param worlds each world, by its name in the plan
 */
public record LoadedExperiment(
        ExperimentPlan plan,
        boolean quick,
        String text,
        SortedMap<String, String> worldTexts,
        Map<String, WorldMap> worlds) {
    /**
     * The experiment of a name or a file.
     *
     * @throws MalformedFileException with the first mistake of its file, or of a world's
     * @throws IOException when there is no such file
     */
    public static LoadedExperiment of(String name, boolean quick) throws MalformedFileException, IOException {
        Optional<String> shipped = ShippedExperiments.file(name);
        String text = shipped.isPresent() ? shipped.get() : Files.readString(Path.of(name));
        return of(name, text, quick, LoadedExperiment::world);
    }

    /**
     * The experiment of a run folder, with the worlds as they were then.
     *
     * @throws MalformedFileException when its files were changed
     * @throws IOException when there is none
     */
    public static LoadedExperiment of(RunFolder folder) throws MalformedFileException, IOException {
        boolean quick = folder.facts().quick();
        return of(folder.planFile().toString(), folder.plan(), quick, world -> text(folder.world(world)));
    }

    private static LoadedExperiment of(
            String name, String text, boolean quick, Function<String, Optional<String>> worldText)
            throws MalformedFileException {
        ExperimentPlan plan = PlanReader.read(
                name, text, quick, vocabulary(), world -> worldText.apply(world).isPresent());
        SortedMap<String, String> texts = new TreeMap<>();
        Map<String, WorldMap> worlds = new LinkedHashMap<>();
        for (String world :
                plan.steps().stream().map(PlannedStep::world).distinct().toList()) {
            String found = worldText.apply(world).orElseThrow(() -> new IllegalStateException("no world " + world));
            texts.put(world, found);
            worlds.put(world, WorldReader.read(world, found, Roles::isServer));
        }
        return new LoadedExperiment(plan, quick, text, texts, worlds);
    }

    private static PlanVocabulary vocabulary() {
        return new PlanVocabulary(
                SystemCatalogue.all().stream().map(SystemChoice::name).toList(),
                NamedWorkloads.all().stream().map(WorkloadDefinition::label).toList(),
                StepFigures.names());
    }

    private static Optional<String> world(String name) {
        Optional<String> shipped = ShippedWorlds.file(name);
        return shipped.isPresent() ? shipped : text(Path.of(name));
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /**
     * Begins a run in a folder, or goes on with one that was cut off there.
     *
     * @param command how it was started, for the record
     * @return what runs it
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
            if (!before.planHash().equals(facts.planHash())
                    || !before.worldHashes().equals(facts.worldHashes())
                    || before.quick() != quick) {
                throw new IllegalArgumentException(
                        folder.path() + " holds a run of " + before.experiment() + " with other settings");
            }
        } else {
            folder.begin(facts, text, worldTexts);
        }
        return new ExperimentExecution(
                terminal, folder, plan, worlds, Map.of(Substrate.SOCKETS, new SocketSteps(worlds)));
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
