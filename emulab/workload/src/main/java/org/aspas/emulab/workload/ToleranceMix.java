package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How many of a system's clients are of which {@link ToleranceClass}. Table 1 of the paper names five such mixes.
 *
 * @param percents the share of each class in percent of all, by its text; from 1, together 100
 */
public record ToleranceMix(Map<String, Integer> percents) {
    /** Nobody ever waits. Also for systems that certify nothing. */
    public static final ToleranceMix ASPAS0 = table1(0, 0, 100);

    /** Table 1, ASPAS1. */
    public static final ToleranceMix ASPAS1 = table1(5, 50, 45);

    /** Table 1, ASPAS2; what is run unless another one is asked for. */
    public static final ToleranceMix ASPAS2 = table1(3, 30, 67);

    /** Table 1, ASPAS3. */
    public static final ToleranceMix ASPAS3 = table1(0, 100, 0);

    /** Table 1, ASPAS4: every update waits for its certificate. */
    public static final ToleranceMix ASPAS4 = table1(100, 0, 0);

    private static final int ALL = 100;

    /** From how many clients on each class with a share has one. */
    private static final int ALL_CLASSES = 3;

    /** Checks the ranges, and orders the classes by τ. */
    public ToleranceMix {
        SortedMap<ToleranceClass, Integer> ordered = new TreeMap<>();
        percents.forEach((text, percent) -> ordered.put(ToleranceClass.parse(text), percent));
        int sum = ordered.values().stream().mapToInt(percent -> percent).sum();
        if (sum != ALL || ordered.values().stream().anyMatch(percent -> percent < 1)) {
            throw new IllegalArgumentException("the shares " + percents + " are not from 1 to 100 and together 100");
        }
        Map<String, Integer> texts = new LinkedHashMap<>();
        ordered.forEach((tolerance, percent) -> texts.put(tolerance.text(), percent));
        percents = Collections.unmodifiableMap(texts);
    }

    private static ToleranceMix table1(int strict, int bounded, int unbounded) {
        Map<String, Integer> percents = new TreeMap<>();
        percents.put(ToleranceClass.TAU_1.text(), strict);
        percents.put(ToleranceClass.TAU_1000.text(), bounded);
        percents.put(ToleranceClass.TAU_UNBOUNDED.text(), unbounded);
        percents.values().removeIf(percent -> percent == 0);
        return new ToleranceMix(percents);
    }

    private SortedMap<ToleranceClass, Integer> shares() {
        SortedMap<ToleranceClass, Integer> shares = new TreeMap<>();
        percents.forEach((text, percent) -> shares.put(ToleranceClass.parse(text), percent));
        return shares;
    }

    /**
     * Deals the classes to clients, the strict ones first. The class with the largest share takes what rounding leaves; each
     * class with a share has at least one client where there are clients enough, and three at least.
     *
     * @param clients how many clients there are, from 1
     * @return one class per client; the same for the same number
     */
    public List<ToleranceClass> deal(int clients) {
        SortedMap<ToleranceClass, Integer> shares = shares();
        int least = clients >= Math.max(ALL_CLASSES, shares.size()) ? 1 : 0;
        ToleranceClass largest =
                Collections.max(shares.entrySet(), Map.Entry.comparingByValue()).getKey();
        SortedMap<ToleranceClass, Integer> counts = new TreeMap<>();
        int left = clients;
        for (Map.Entry<ToleranceClass, Integer> share : shares.entrySet()) {
            if (!share.getKey().equals(largest)) {
                int count =
                        Math.min(left, Math.max(least, (int) Math.round(clients * share.getValue() / (double) ALL)));
                counts.put(share.getKey(), count);
                left -= count;
            }
        }
        counts.put(largest, left);
        List<ToleranceClass> dealt = new ArrayList<>(clients);
        counts.forEach((tolerance, count) -> dealt.addAll(Collections.nCopies(count, tolerance)));
        return List.copyOf(dealt);
    }

    /** The classes with a share, the strictest first. */
    public List<ToleranceClass> classes() {
        return List.copyOf(shares().keySet());
    }

    /** For people, such as {@code 3 % τ=1, 30 % τ=1000, 67 % τ=unbounded}. */
    public String text() {
        return shares().entrySet().stream()
                .map(share -> share.getValue() + " % " + share.getKey().label())
                .collect(Collectors.joining(", "));
    }
}
