package org.aspas.certify.model;

import java.util.Arrays;
import java.util.List;

/**
 * One search from the command line: the six bounds of {@link Bounds}; then, if wished, {@code most=N} states, {@code only=TEXT}
 * for the properties that begin so (a line for a space), and {@code whole} for the search without reductions. Exit code 1: a property is broken.
 */
public final class SearchMain {
    private static final int BOUNDS = 6;

    private SearchMain() {}

    /** Runs the search. */
    public static void main(String[] arguments) {
        int[] numbers = Arrays.stream(arguments)
                .limit(BOUNDS)
                .mapToInt(Integer::parseInt)
                .toArray();
        List<String> rest = List.of(arguments).subList(BOUNDS, arguments.length);
        Bounds bounds = new Bounds(
                numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], !rest.contains("whole"));
        long most = Long.parseLong(option(rest, "most=", "2000000000"));
        Search.Report report =
                new Search(bounds, most, option(rest, "only=", "").replace('_', ' ')).run();
        System.out.println(bounds + ": " + report);
        System.exit(report.finding().isPresent() ? 1 : 0);
    }

    private static String option(List<String> options, String name, String otherwise) {
        return options.stream()
                .filter(one -> one.startsWith(name))
                .map(one -> one.substring(name.length()))
                .findFirst()
                .orElse(otherwise);
    }
}
