package org.aspas.emulab.sim.trace;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One message in a trace.
 *
 * @param millis when it arrived, in milliseconds
 * @param kind its name; ORDERED for a command that the ordering of the bftservers gives out
 * @param from its sender; a number for a command
 * @param to its receivers
 * @param detail what it says
 */
record TraceLine(double millis, String kind, String from, String to, String detail) {
    private static final Pattern EVENT = Pattern.compile("\\s*([0-9.]+) (\\S+)\\s+(.*?) -> (\\S*) ?(.*)");

    static TraceLine parse(String event) {
        Matcher matcher = EVENT.matcher(event);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no event: " + event);
        }
        double millis = 1000 * Double.parseDouble(matcher.group(1));
        String detail = matcher.group(5).strip();
        if (matcher.group(2).equals("ORDERED")) {
            int kind = detail.indexOf(' ') < 0 ? detail.length() : detail.indexOf(' ');
            return new TraceLine(
                    millis,
                    detail.substring(0, kind),
                    "ordered",
                    "",
                    detail.substring(kind).strip());
        }
        return new TraceLine(millis, matcher.group(2), matcher.group(3), matcher.group(4), detail);
    }

    /** Probes are the simulator's own. */
    boolean isOfProbe() {
        return from.startsWith("probe") || to.startsWith("probe");
    }

    boolean saysTheSame(TraceLine next) {
        return kind.equals(next.kind)
                && from.equals(next.from)
                && detail.equals(next.detail)
                && !to.isEmpty()
                && tier(to).equals(tier(next.to));
    }

    private static String tier(String node) {
        return node.replaceAll("-[0-9,]+$", "");
    }

    TraceLine and(TraceLine next) {
        return new TraceLine(millis, kind, from, to + "," + next.to.substring(next.to.lastIndexOf('-') + 1), detail);
    }

    String text(double start) {
        String way = to.isEmpty() ? from : from + " -> " + to;
        return String.format(Locale.ROOT, "%8.1f  %-32s %s %s", millis - start, way, kind, detail)
                .stripTrailing();
    }
}
