package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * How many of a system's clients are of which {@link ToleranceClass}, in percent of all; together 100. Table 1 of the paper
 * names five such mixes.
 *
 * @param strictPercent τ = 1
 * @param boundedPercent τ = 1000
 * @param unboundedPercent τ = ∞
 */
public record ToleranceMix(int strictPercent, int boundedPercent, int unboundedPercent) {
    /** Nobody ever waits. Also for systems that certify nothing. */
    public static final ToleranceMix ASPAS0 = new ToleranceMix(0, 0, 100);

    /** Table 1, ASPAS1. */
    public static final ToleranceMix ASPAS1 = new ToleranceMix(5, 50, 45);

    /** Table 1, ASPAS2; what is run unless another one is asked for. */
    public static final ToleranceMix ASPAS2 = new ToleranceMix(3, 30, 67);

    /** Table 1, ASPAS3. */
    public static final ToleranceMix ASPAS3 = new ToleranceMix(0, 100, 0);

    /** Table 1, ASPAS4: every update waits for its certificate. */
    public static final ToleranceMix ASPAS4 = new ToleranceMix(100, 0, 0);

    private static final int ALL = 100;

    /** Checks the ranges. */
    public ToleranceMix {
        if (strictPercent < 0
                || boundedPercent < 0
                || unboundedPercent < 0
                || strictPercent + boundedPercent + unboundedPercent != ALL) {
            throw new IllegalArgumentException(
                    strictPercent + ", " + boundedPercent + " and " + unboundedPercent + " do not make 100 percent");
        }
    }

    /**
     * Deals the classes to clients, the strict ones first. The class with the largest share takes what rounding leaves; each
     * class with a share has at least one client as soon as there are three.
     *
     * @param clients how many clients there are, from 1
     * @return one class per client; the same for the same number
     */
    public List<ToleranceClass> deal(int clients) {
        int least = clients >= ToleranceClass.values().length ? 1 : 0;
        ToleranceClass largest = largest();
        int others = 0;
        for (ToleranceClass tolerance : ToleranceClass.values()) {
            others += tolerance == largest ? 0 : rounded(tolerance, clients, least);
        }
        List<ToleranceClass> dealt = new ArrayList<>(clients);
        for (ToleranceClass tolerance : ToleranceClass.values()) {
            int count = tolerance == largest ? clients - others : rounded(tolerance, clients, least);
            for (int client = 0; client < count; client++) {
                dealt.add(tolerance);
            }
        }
        return List.copyOf(dealt);
    }

    private ToleranceClass largest() {
        ToleranceClass largest = ToleranceClass.TAU_INF;
        for (ToleranceClass tolerance : ToleranceClass.values()) {
            if (percent(tolerance) > percent(largest)) {
                largest = tolerance;
            }
        }
        return largest;
    }

    private int rounded(ToleranceClass tolerance, int clients, int least) {
        int percent = percent(tolerance);
        return percent == 0 ? 0 : Math.max(least, (int) Math.round(clients * percent / (double) ALL));
    }

    private int percent(ToleranceClass tolerance) {
        return switch (tolerance) {
            case TAU_1 -> strictPercent;
            case TAU_1000 -> boundedPercent;
            case TAU_INF -> unboundedPercent;
        };
    }

    /** For people, such as {@code 3 % τ=1, 30 % τ=1000, 67 % τ=∞}; classes without a share are left out. */
    public String text() {
        List<String> parts = new ArrayList<>();
        for (ToleranceClass tolerance : ToleranceClass.values()) {
            if (percent(tolerance) > 0) {
                parts.add(percent(tolerance) + " % " + tolerance.label());
            }
        }
        return String.join(", ", parts);
    }
}
