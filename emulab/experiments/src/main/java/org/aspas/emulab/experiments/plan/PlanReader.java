package org.aspas.emulab.experiments.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.YamlValue;
import org.aspas.emulab.workload.ToleranceMix;
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

    /** Reads what an experiment's figures are compared with. */
    private static final class ClaimReader {
        private static final Set<String> KEYS =
                Set.of("claim", "source", "paper", "figure", "of", "over", "per", "band", "required", "not_comparable");
        private static final Set<String> POINT = Set.of("part", "system", "world", "workload", "clients");
        private static final double MOST = 1e12;

        private final List<PlannedStep> steps;
        private final List<PlannedStep> everyStep;
        private final PlanVocabulary vocabulary;

        /**
         * Reads claims about a plan.
         *
         * @param steps of the plan as it will run
         * @param everyStep of the plan as its file has it, when it is not run quickly
         */
        ClaimReader(List<PlannedStep> steps, List<PlannedStep> everyStep, PlanVocabulary vocabulary) {
            this.steps = steps;
            this.everyStep = everyStep;
            this.vocabulary = vocabulary;
        }

        List<PaperClaim> claims(@Nullable YamlValue value) throws MalformedFileException {
            List<PaperClaim> claims = new ArrayList<>();
            if (value != null) {
                for (YamlValue element : value.elements()) {
                    claims.add(claim(element));
                }
            }
            return claims;
        }

        private PaperClaim claim(YamlValue value) throws MalformedFileException {
            Map<String, YamlValue> fields = value.fields(KEYS);
            YamlValue incomparable = fields.get("not_comparable");
            YamlValue figure = fields.get("figure");
            if (incomparable == null || figure != null) {
                figure = value.needed(fields, "figure");
                if (!vocabulary.figures().contains(figure.text())) {
                    throw figure.mistake("there is no figure " + figure.text() + ": known are "
                            + String.join(", ", vocabulary.figures()));
                }
            }
            YamlValue over = fields.get("over");
            YamlValue per = fields.get("per");
            YamlValue required = fields.get("required");
            return new PaperClaim(
                    value.needed(fields, "claim").text(),
                    text(fields.get("source")),
                    text(fields.get("paper")),
                    text(figure),
                    incomparable == null
                            ? point(fields.getOrDefault("of", value), fields.containsKey("of"))
                            : anything(),
                    over == null ? null : point(over, true),
                    per == null ? 1 : per.number(1e-6, MOST),
                    incomparable == null ? band(value.needed(fields, "band")) : new TargetBand(0, MOST),
                    required != null && required.text().equals("true"),
                    text(incomparable));
        }

        private static PointSelector anything() {
            return new PointSelector(null, null, null, null, 0);
        }

        private static String text(@Nullable YamlValue value) throws MalformedFileException {
            return value == null ? "" : value.text();
        }

        /** {@code 0.9-1.1}, or with one end open {@code 1.8-} or {@code -1.05}. */
        private static TargetBand band(YamlValue value) throws MalformedFileException {
            String text = value.text();
            if (text.matches("[0-9.]+-")) {
                return new TargetBand(bound(value, text.substring(0, text.length() - 1)), MOST);
            }
            if (text.matches("-[0-9.]+")) {
                return new TargetBand(0, bound(value, text.substring(1)));
            }
            YamlValue.Range range = value.range(0, MOST);
            return new TargetBand(range.low(), range.high());
        }

        private static double bound(YamlValue value, String number) throws MalformedFileException {
            try {
                return Double.parseDouble(number);
            } catch (NumberFormatException none) {
                throw value.mistake("band is " + value.text() + ": it takes 0.9-1.1, 1.8- or -1.05");
            }
        }

        /** What selects one point of the plan and no other; {@code where} is it, or the claim that does not give it. */
        private PointSelector point(YamlValue where, boolean given) throws MalformedFileException {
            Map<String, YamlValue> fields = given ? where.fields(POINT) : Map.of();
            YamlValue clients = fields.get("clients");
            PointSelector selector = new PointSelector(
                    optional(fields.get("part")),
                    optional(fields.get("system")),
                    optional(fields.get("world")),
                    optional(fields.get("workload")),
                    clients == null ? 0 : (int) clients.whole(1, 1_000_000));
            if (everyStep.stream().noneMatch(selector::selects)) {
                throw where.mistake("this selects no point of the experiment");
            }
            List<String> points = steps.stream()
                    .filter(selector::selects)
                    .map(PlannedStep::point)
                    .distinct()
                    .toList();
            if (points.size() > 1) {
                throw where.mistake("this selects " + points.size() + " points, such as " + points.get(0) + " and "
                        + points.get(1) + ": it has to be one");
            }
            return selector;
        }

        private static @Nullable String optional(@Nullable YamlValue value) throws MalformedFileException {
            return value == null ? null : value.text();
        }
    }

    /** Reads how clients load what a part runs. */
    private static final class LoadReader {
        static final Set<String> KEYS = Set.of("rate", "open_updates", "tau");

        private static final int MOST_PER_SECOND = 1_000_000;
        private static final int MOST_OPEN = 1000;
        private static final int ALL_PERCENT = 100;

        private LoadReader() {}

        static StepLoad load(Map<String, YamlValue> fields, Substrate substrate) throws MalformedFileException {
            for (String key : KEYS) {
                YamlValue value = fields.get(key);
                if (value != null && substrate == Substrate.SIMULATOR) {
                    throw value.mistake(key + " is for parts on sockets");
                }
            }
            YamlValue rate = fields.get("rate");
            YamlValue open = fields.get("open_updates");
            if (rate != null && open != null) {
                throw open.mistake("rate opens as many operations as it takes: leave open_updates out");
            }
            return new StepLoad(
                    rate == null ? 0 : rate.number(1, MOST_PER_SECOND),
                    open == null ? 1 : (int) open.whole(1, MOST_OPEN),
                    tau(fields.get("tau")));
        }

        private static Map<String, Integer> tau(@Nullable YamlValue value) throws MalformedFileException {
            Map<String, Integer> shares = new TreeMap<>();
            if (value == null) {
                return shares;
            }
            for (Map.Entry<String, YamlValue> share : value.fields().entrySet()) {
                shares.put(share.getKey(), (int) share.getValue().whole(1, ALL_PERCENT));
            }
            try {
                return new ToleranceMix(shares).percents();
            } catch (IllegalArgumentException wrong) {
                throw value.mistake("tau: " + wrong.getMessage());
            }
        }
    }
}
