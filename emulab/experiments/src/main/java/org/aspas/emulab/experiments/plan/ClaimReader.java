package org.aspas.emulab.experiments.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.aspas.emulab.sim.yaml.MalformedFileException;
import org.aspas.emulab.sim.yaml.YamlValue;
import org.jspecify.annotations.Nullable;

/** Reads what an experiment's figures are compared with. */
final class ClaimReader {
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
                incomparable == null ? point(fields.getOrDefault("of", value), fields.containsKey("of")) : anything(),
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
