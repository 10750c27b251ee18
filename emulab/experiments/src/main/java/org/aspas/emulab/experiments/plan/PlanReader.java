package org.aspas.emulab.experiments.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.aspas.emulab.sim.yaml.MalformedFileException;
import org.aspas.emulab.sim.yaml.YamlValue;
import org.jspecify.annotations.Nullable;

/** Reads an experiment's file (docs/experiments.md). The first mistake ends the reading, with its line. */
public final class PlanReader {
    private static final Set<String> OF_PARTS = Set.of(
            "on", "systems", "worlds", "workloads", "clients", "repetitions", "warmup", "rewarm", "duration", "f", "b");
    private static final Set<String> QUICK =
            Set.of("systems", "workloads", "clients", "repetitions", "warmup", "rewarm", "duration");
    private static final int MOST_CLIENTS = 10_000;
    private static final int MOST_REPETITIONS = 100;
    private static final long LONGEST = 3_600_000_000L;
    private static final int MOST_FAULTS = 21;

    private final PlanVocabulary vocabulary;
    private final PlanFiles files;

    private PlanReader(PlanVocabulary vocabulary, PlanFiles files) {
        this.vocabulary = vocabulary;
        this.files = files;
    }

    /**
     * Reads an experiment.
     *
     * @param file its name, for error messages
     * @param quick whether its {@code quick} block is to shorten it
     * @throws MalformedFileException with the first mistake
     */
    public static ExperimentPlan read(
            String file, String text, boolean quick, PlanVocabulary vocabulary, PlanFiles files)
            throws MalformedFileException {
        return new PlanReader(vocabulary, files).whole(YamlValue.read(file, text), quick);
    }

    private ExperimentPlan whole(YamlValue file, boolean quick) throws MalformedFileException {
        Set<String> known = new HashSet<>(OF_PARTS);
        known.addAll(LoadReader.KEYS);
        known.addAll(Set.of("name", "about", "seed", "costs", "parts", "claims", "quick"));
        Map<String, YamlValue> fields = file.fields(known);
        YamlValue name = file.needed(fields, "name");
        if (!name.text().matches("[A-Za-z0-9][A-Za-z0-9-]*")) {
            throw name.mistake("name is " + name.text() + ": it takes letters, digits and hyphens");
        }
        String about = file.needed(fields, "about").text();
        YamlValue seed = fields.get("seed");
        YamlValue shorter = fields.get("quick");
        List<PlanPart> parts = parts(file, fields, false);
        List<PlanPart> quicker = parts(file, fields, true);
        if (quick && shorter == null) {
            throw file.mistake("this experiment has no quick block");
        }
        long first = seed == null ? 1 : seed.whole(0, 1_000_000_000);
        String costs = costs(fields.get("costs"));
        ExperimentPlan full = new ExperimentPlan(name.text(), about, first, costs, parts, List.of());
        ExperimentPlan plan = quick ? new ExperimentPlan(name.text(), about, first, costs, quicker, List.of()) : full;
        ClaimReader claims = new ClaimReader(plan.steps(), full.steps(), vocabulary);
        return new ExperimentPlan(name.text(), about, first, costs, plan.parts(), claims.claims(fields.get("claims")));
    }

    private String costs(@Nullable YamlValue value) throws MalformedFileException {
        if (value != null && !files.hasCosts(value.text())) {
            throw value.mistake("there is no readable file " + value.text());
        }
        return value == null ? "" : value.text();
    }

    /** The parts of the file, or of its quick run: there quick blocks say what is otherwise, a part's own before the whole's. */
    private List<PlanPart> parts(YamlValue file, Map<String, YamlValue> defaults, boolean quick)
            throws MalformedFileException {
        YamlValue value = defaults.get("parts");
        if (value == null) {
            return List.of(part("all", file, shortened(defaults, Map.of(), defaults, quick)));
        }
        List<PlanPart> parts = new ArrayList<>();
        Set<String> known = new HashSet<>(OF_PARTS);
        known.addAll(LoadReader.KEYS);
        known.addAll(Set.of("name", "quick"));
        Set<String> names = new HashSet<>();
        for (YamlValue one : value.elements()) {
            Map<String, YamlValue> own = one.fields(known);
            YamlValue name = one.needed(own, "name");
            if (!names.add(name.text())) {
                throw name.mistake("two parts are called " + name.text());
            }
            Map<String, YamlValue> fields = new HashMap<>(defaults);
            fields.putAll(own);
            parts.add(part(name.text(), one, shortened(fields, own, defaults, quick)));
        }
        return parts;
    }

    private static Map<String, YamlValue> shortened(
            Map<String, YamlValue> fields, Map<String, YamlValue> own, Map<String, YamlValue> defaults, boolean quick)
            throws MalformedFileException {
        Map<String, YamlValue> shortened = new HashMap<>(fields);
        for (YamlValue block : Stream.of(defaults.get("quick"), own.get("quick"))
                .filter(Objects::nonNull)
                .toList()) {
            Map<String, YamlValue> changes = block.fields(QUICK);
            if (quick) {
                shortened.putAll(changes);
            }
        }
        return shortened;
    }

    private PlanPart part(String name, YamlValue where, Map<String, YamlValue> fields) throws MalformedFileException {
        long warmUp = micros(fields.get("warmup"), 0);
        Substrate substrate = substrate(fields.get("on"));
        PlanVocabulary.Names known = vocabulary.on(substrate);
        String place = substrate == Substrate.SIMULATOR ? " in the simulator" : "";
        return new PlanPart(
                name,
                substrate,
                names(where.needed(fields, "systems"), known.systems(), "system", place),
                worlds(where.needed(fields, "worlds"), substrate),
                names(where.needed(fields, "workloads"), known.workloads(), "workload", place),
                clients(where.needed(fields, "clients")),
                (int) whole(fields.get("repetitions"), 1, MOST_REPETITIONS, 1),
                warmUp,
                micros(fields.get("rewarm"), warmUp),
                micros(where.needed(fields, "duration"), 0),
                (int) whole(fields.get("f"), 1, MOST_FAULTS, 1),
                (int) whole(fields.get("b"), 1, MOST_FAULTS, 1),
                LoadReader.load(fields, substrate));
    }

    private static Substrate substrate(@Nullable YamlValue value) throws MalformedFileException {
        if (value == null) {
            return Substrate.SOCKETS;
        }
        String label = value.text();
        return Substrate.labelled(label)
                .orElseThrow(() -> value.mistake("on is " + label + ": it takes sockets or simulator"));
    }

    private static List<String> names(YamlValue value, List<String> known, String what, String place)
            throws MalformedFileException {
        List<String> names = new ArrayList<>();
        for (YamlValue element : value.elements()) {
            if (!known.contains(element.text())) {
                throw element.mistake("there is no " + what + " " + element.text() + place + ": known are "
                        + String.join(", ", known));
            }
            names.add(element.text());
        }
        return names;
    }

    private List<String> worlds(YamlValue value, Substrate substrate) throws MalformedFileException {
        List<String> names = new ArrayList<>();
        for (YamlValue element : value.elements()) {
            if (!files.hasWorld(element.text())) {
                throw element.mistake("there is no world and no readable file " + element.text());
            }
            if (substrate == Substrate.SIMULATOR && files.hasTimeline(element.text())) {
                throw element.mistake("the world " + element.text() + " has a timeline: a simulated part takes none");
            }
            names.add(element.text());
        }
        return names;
    }

    private static List<Integer> clients(@Nullable YamlValue value) throws MalformedFileException {
        List<Integer> clients = new ArrayList<>();
        if (value != null) {
            for (YamlValue element : value.elements()) {
                clients.add((int) element.whole(1, MOST_CLIENTS));
            }
        }
        return clients;
    }

    private static long whole(@Nullable YamlValue value, long low, long high, long absent)
            throws MalformedFileException {
        return value == null ? absent : value.whole(low, high);
    }

    private static long micros(@Nullable YamlValue value, long absent) throws MalformedFileException {
        if (value == null) {
            return absent;
        }
        long micros = value.micros();
        if (micros > LONGEST) {
            throw value.mistake(value.text() + " is longer than an hour");
        }
        return micros;
    }
}
