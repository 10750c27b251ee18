package org.aspas.emulab.experiments.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.aspas.emulab.experiments.plan.PaperClaim;
import org.aspas.emulab.experiments.plan.PointSelector;
import org.aspas.emulab.experiments.plan.TargetBand;
import org.aspas.emulab.experiments.result.ClaimOutcome.Kind;
import org.aspas.emulab.testbed.cluster.DelayReport;

/** Holds what was measured against what is claimed. Ratios are taken within a repetition, so that drift cancels out. */
public final class ClaimJudge {
    private static final double UNBOUNDED = 1e12;

    private final List<MeasuredStep> steps;

    public ClaimJudge(List<MeasuredStep> steps) {
        this.steps = List.copyOf(steps);
    }

    public ClaimOutcome judge(PaperClaim claim) {
        if (!claim.incomparable().isEmpty()) {
            return none(claim, claim.incomparable());
        }
        List<MeasuredStep> of = selected(claim.of());
        PointSelector divisor = claim.over();
        List<MeasuredStep> over = divisor == null ? of : selected(divisor);
        if (of.isEmpty() || over.isEmpty()) {
            return none(claim, "not measured in this run");
        }
        String invalid = invalid(claim, of, over);
        if (!invalid.isEmpty()) {
            return none(claim, invalid);
        }
        List<Double> found = new ArrayList<>();
        for (MeasuredStep one : of) {
            value(claim, one, over).ifPresent(found::add);
        }
        return found.isEmpty()
                ? none(claim, "no repetition has the figure " + claim.figure())
                : compared(claim, RepetitionSpread.of(found));
    }

    private List<MeasuredStep> selected(PointSelector selector) {
        return steps.stream().filter(step -> selector.selects(step.step())).toList();
    }

    private static String invalid(PaperClaim claim, List<MeasuredStep> of, List<MeasuredStep> over) {
        List<MeasuredStep> all = new ArrayList<>(of);
        all.addAll(over);
        Optional<String> invalid = all.stream()
                .filter(step -> !step.valid())
                .map(step -> "invalid: " + step.invalid().get(0))
                .findFirst();
        boolean rare = claim.figure().endsWith("_p99_ms") || claim.figure().endsWith("_max_ms");
        if (invalid.isEmpty() && rare && all.stream().anyMatch(ClaimJudge::tailsLate)) {
            return "emulated delays were more than " + DelayReport.MOST_LATE_MS + " ms late at the 99th percentile";
        }
        return invalid.orElse("");
    }

    private static boolean tailsLate(MeasuredStep step) {
        return step.figures().getOrDefault("delay_late_p99_ms", 0.0) > DelayReport.MOST_LATE_MS;
    }

    private static Optional<Double> value(PaperClaim claim, MeasuredStep of, List<MeasuredStep> over) {
        Optional<Double> figure = figure(claim, of);
        if (claim.over() == null) {
            return figure.map(number -> number / claim.divisor());
        }
        Optional<Double> other = over.stream()
                .filter(step -> step.step().repetition() == of.step().repetition())
                .findFirst()
                .flatMap(step -> figure(claim, step))
                .filter(number -> number > 0);
        return figure.flatMap(number -> other.map(divisor -> number / divisor / claim.divisor()));
    }

    private static Optional<Double> figure(PaperClaim claim, MeasuredStep step) {
        return Optional.ofNullable(step.figures().get(claim.figure()));
    }

    private static ClaimOutcome none(PaperClaim claim, String why) {
        return new ClaimOutcome(claim, Optional.empty(), Kind.NOT_COMPARABLE, why);
    }

    private static ClaimOutcome compared(PaperClaim claim, RepetitionSpread found) {
        TargetBand band = claim.band();
        boolean inside = band.holds(found.median());
        boolean all = band.holds(found.low()) && band.holds(found.high());
        boolean none = found.high() < band.low() || found.low() > band.high();
        String why = inside
                ? all ? "every repetition lies in the band" : "the median does, not every repetition"
                : String.format(
                        Locale.ROOT,
                        "%s the band%s",
                        found.median() > band.high() ? "above" : "below",
                        none ? ", every repetition" : ", not every repetition");
        return new ClaimOutcome(claim, Optional.of(found), inside ? Kind.REPEATS : Kind.DIFFERS, why);
    }

    public static String shown(TargetBand band) {
        if (band.high() >= UNBOUNDED) {
            return "≥ " + number(band.low());
        }
        return band.low() == 0 ? "≤ " + number(band.high()) : number(band.low()) + " – " + number(band.high());
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,d", (long) value) : Double.toString(value);
    }
}
