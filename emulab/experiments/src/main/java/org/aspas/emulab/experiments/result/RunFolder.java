package org.aspas.emulab.experiments.result;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.script.JsonReport;

/**
 * The files of one run: {@code run.json}, the experiment as it was, each world as it was, what work
 * costs in the simulator, and for every finished step its
 * figures and its histograms. A file appears whole or not at all.
 */
public record RunFolder(Path path) {
    private static final String FACTS = "run.json";
    private static final String PLAN = "experiment.yaml";
    private static final String COSTS = "costs.json";
    private static final String STEPS = "steps";
    private static final String WORLDS = "worlds";

    public boolean begun() {
        return Files.exists(path.resolve(FACTS));
    }

    /**
     * Begins a run.
     *
     * @param plan the text of the experiment's file
     * @param worlds the text of each world's file, by its name in the experiment
     */
    public void begin(RunFacts facts, String plan, Map<String, String> worlds) throws IOException {
        Files.createDirectories(path.resolve(STEPS));
        Files.createDirectories(path.resolve(WORLDS));
        for (Map.Entry<String, String> world : worlds.entrySet()) {
            put(world(world.getKey()), world.getValue());
        }
        put(path.resolve(PLAN), plan);
        put(path.resolve(FACTS), JsonReport.text(facts) + "\n");
    }

    public RunFacts facts() throws IOException {
        if (!begun()) {
            throw new NoSuchFileException(path.resolve(FACTS).toString());
        }
        return JsonReport.read(path.resolve(FACTS), RunFacts.class);
    }

    /** The text of the experiment's file as it was then. */
    public String plan() throws IOException {
        return Files.readString(path.resolve(PLAN));
    }

    /**
     * What work costs in the simulator, as it was measured or read for this run; empty before the first simulated step.
     *
     * @throws IllegalArgumentException when the file was changed into none of costs
     */
    public Optional<CostFile> costs() throws IOException {
        Path file = costsFile();
        return Files.exists(file)
                ? Optional.of(CostFile.read(file.toString(), Files.readAllBytes(file)))
                : Optional.empty();
    }

    /** Keeps what work costs: all simulated steps of the run take it, and those of a run that repeats it. */
    public void put(CostFile costs) throws IOException {
        put(costsFile(), costs.text());
    }

    public Path costsFile() {
        return path.resolve(COSTS);
    }

    public Path planFile() {
        return path.resolve(PLAN);
    }

    public Path world(String name) {
        return path.resolve(WORLDS).resolve(worldFile(name));
    }

    /** The name of the file that keeps a world, in the folder of a run: a plan's worlds need different ones. */
    public static String worldFile(String name) {
        String plain = name.substring(name.lastIndexOf('/') + 1);
        return plain.endsWith(".yaml") ? plain : plain + ".yaml";
    }

    /** Keeps what came out of a step, its histograms by name; from then on the step is finished. */
    public void put(MeasuredStep measured, Map<String, Histogram> histograms) throws IOException {
        String id = measured.step().id();
        put(path.resolve(STEPS).resolve(id + ".hlog"), HistogramFile.text(histograms));
        put(step(id), JsonReport.text(measured) + "\n");
    }

    /** What came out of a step; empty when it is not finished. */
    public Optional<MeasuredStep> measured(PlannedStep step) throws IOException {
        Path file = step(step.id());
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        MeasuredStep measured = JsonReport.read(file, MeasuredStep.class);
        return measured.step().equals(step) ? Optional.of(measured) : Optional.empty();
    }

    /**
     * Makes a finished step an unfinished one. What came out of it stays beside as {@code ID.invalid-1.json}, or with the
     * next free number, so that nobody has to wonder how often a step was tried.
     */
    public void setAside(PlannedStep step) throws IOException {
        Files.move(step(step.id()), aside(step, attemptsAside(step) + 1), StandardCopyOption.ATOMIC_MOVE);
    }

    /** How many results of a step were set aside. */
    public int attemptsAside(PlannedStep step) {
        int attempts = 0;
        while (Files.exists(aside(step, attempts + 1))) {
            attempts++;
        }
        return attempts;
    }

    private Path aside(PlannedStep step, int attempt) {
        return path.resolve(STEPS).resolve(step.id() + ".invalid-" + attempt + ".json");
    }

    /** What came out of these steps, those left out that are not finished. */
    public List<MeasuredStep> measured(List<PlannedStep> steps) throws IOException {
        List<MeasuredStep> all = new ArrayList<>();
        for (PlannedStep step : steps) {
            measured(step).ifPresent(all::add);
        }
        return all;
    }

    /** The histograms of a finished step, by name, in microseconds. */
    public Map<String, Histogram> histograms(PlannedStep step) throws IOException {
        return HistogramFile.read(path.resolve(STEPS).resolve(step.id() + ".hlog"));
    }

    private Path step(String id) {
        return path.resolve(STEPS).resolve(id + ".json");
    }

    /** Writes a text file of the folder, whole or not at all. */
    public void put(Path file, String text) throws IOException {
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Histograms by name in the log format of HdrHistogram, which its tools read: a line each, its name as the tag. */
    private static final class HistogramFile {
        private HistogramFile() {}

        static String text(Map<String, Histogram> histograms) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputComment("[microseconds; the tag names what was measured]");
            log.outputLogFormatVersion();
            log.outputLegend();
            new TreeMap<>(histograms).forEach((name, histogram) -> {
                Histogram tagged = histogram.copy();
                tagged.setTag(name.replaceAll("[, \\r\\n]+", "_"));
                log.outputIntervalHistogram(tagged);
            });
            log.close();
            return out.toString(StandardCharsets.UTF_8);
        }

        static Map<String, Histogram> read(Path file) throws IOException {
            Map<String, Histogram> histograms = new TreeMap<>();
            try (var in = Files.newInputStream(file);
                    HistogramLogReader log = new HistogramLogReader(in)) {
                for (EncodableHistogram next = log.nextIntervalHistogram();
                        next != null;
                        next = log.nextIntervalHistogram()) {
                    if (next instanceof Histogram one && one.getTag() != null) {
                        histograms.put(one.getTag(), one);
                    }
                }
            }
            return histograms;
        }
    }
}
