package org.aspas.emulab.testbed.attack;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.aspas.emulab.testbed.attack.Flood.Kind;

/**
 * Who floods, and how.
 *
 * @param kinds one client of each at each appserver
 * @param sessions whether they come to the port of binary sessions; if not, by WebSockets
 */
public record FloodPlan(String name, List<Kind> kinds, boolean sessions) {
    public static final FloodPlan USUAL = new FloodPlan("floods", List.of(Kind.values()), false);

    private static final String BY_SESSIONS = "session-";

    public FloodPlan {
        kinds = List.copyOf(kinds);
    }

    /**
     * The plan of a name: {@code floods} for all kinds, or one kind such as {@code forgeries}; {@code session-} before it for
     * binary sessions.
     */
    public static Optional<FloodPlan> named(String name) {
        boolean sessions = name.startsWith(BY_SESSIONS);
        String what = sessions ? name.substring(BY_SESSIONS.length()) : name;
        return what.equals(USUAL.name)
                ? Optional.of(new FloodPlan(name, USUAL.kinds, sessions))
                : Arrays.stream(Kind.values())
                        .filter(kind -> word(kind).equals(what))
                        .map(kind -> new FloodPlan(name, List.of(kind), sessions))
                        .findFirst();
    }

    /** What may stand behind {@code session-}, or alone. */
    public static List<String> names() {
        return Stream.concat(Stream.of(USUAL.name), Arrays.stream(Kind.values()).map(FloodPlan::word))
                .toList();
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
