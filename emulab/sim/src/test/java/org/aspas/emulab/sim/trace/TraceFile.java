package org.aspas.emulab.sim.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.script.Fault;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;

/**
 * A trace as text: what it shows in lines with #, commands, a line of dashes, and what the parties say. The commands:
 *
 * <pre>
 * seed N                                one run, always the same
 * seconds S                             how long clients work, in virtual time
 * clients N every MS                    each with an update about every so many milliseconds
 * rtt MS                                the round trip between any two
 * roles NAME ...                        Byzantine parties
 * tolerance N                           how many updates of a client may be unconfirmed; without it, each has its own
 * retained N                            how many certificates each appserver keeps
 * wary                                  clients leave servers that lie or withhold
 * fault KIND FROM TO NODE ...           from and to in seconds; a node is appserver-I, or the number of a bftserver
 * show KIND ...                         the messages that are shown
 * only TEXT                             of these, those with this text
 * after S                               nothing before this moment is shown
 * from TEXT                             the first line shown is the first with this text
 * to TEXT                               the last is the first after it with this text
 * </pre>
 *
 * <p>Times are milliseconds from the first line shown. Receivers of the same message share a line.
 */
final class TraceFile {
    private static final String CUT = "----";
    private static final String APPSERVER = "appserver-";
    private static final int EVERY_EVENT = 3_000_000;
    private static final double MICROS = 1e6;

    private final List<String> head = new ArrayList<>();
    private final List<String> output = new ArrayList<>();
    private final List<Fault> script = new ArrayList<>();
    private final Set<String> shown = new HashSet<>();
    private Settings settings = Settings.of(1).withFaults(Set.of(), 1_000_000);
    private String only = "";
    private long after;
    private String from = "";
    private String to = "\u0000";

    private TraceFile() {}

    static TraceFile read(String text) {
        TraceFile file = new TraceFile();
        boolean cut = false;
        for (String line : text.lines().toList()) {
            (cut ? file.output : file.head).add(line);
            if (!cut && !line.startsWith("#") && !line.isBlank() && !line.equals(CUT)) {
                file.command(line.split(" +"), line);
            }
            cut |= line.equals(CUT);
        }
        return file;
    }

    private void command(String[] words, String line) {
        switch (words[0]) {
            case "seed" -> settings = settings.withSeed(Long.parseLong(words[1]));
            case "seconds" -> settings = settings.withMicros(micros(words[1]));
            case "clients" ->
                settings = settings.withClients(Integer.parseInt(words[1]), 1000 * Long.parseLong(words[3]));
            case "rtt" -> settings = settings.withRoundTrip(1000 * Long.parseLong(words[1]));
            case "roles" -> settings = settings.withRoles(rest(words, 1));
            case "tolerance" -> settings = settings.withTolerance(Long.parseLong(words[1]));
            case "retained" -> settings = settings.withRetained(Integer.parseInt(words[1]));
            case "wary" -> settings = settings.withWary(true);
            case "fault" -> script.add(fault(words));
            case "show" -> shown.addAll(rest(words, 1));
            case "only" -> only = line.substring("only ".length());
            case "after" -> after = micros(words[1]);
            case "from" -> from = line.substring("from ".length());
            case "to" -> to = line.substring("to ".length());
            default -> throw new IllegalArgumentException("no command of a trace: " + line);
        }
    }

    private static List<String> rest(String[] words, int first) {
        return Arrays.asList(words).subList(first, words.length);
    }

    private static long micros(String seconds) {
        return Math.round(Double.parseDouble(seconds) * MICROS);
    }

    private Fault fault(String[] words) {
        List<NodeId> some = rest(words, 4).stream().map(TraceFile::node).toList();
        Fault.Kind kind = Fault.Kind.valueOf(words[1].toUpperCase(Locale.ROOT));
        return new Fault(script.size(), kind, micros(words[2]), micros(words[3]), some, List.of(), 0, Conditions.CALM);
    }

    private static NodeId node(String word) {
        return word.startsWith(APPSERVER)
                ? NodeId.appserver(Integer.parseInt(word.substring(APPSERVER.length())))
                : NodeId.bftserver(Integer.parseInt(word));
    }

    /** What the file tells. */
    List<String> output() {
        return output;
    }

    /** The file with another output. */
    String withOutput(List<String> told) {
        return String.join("\n", head) + "\n" + String.join("\n", told) + "\n";
    }

    /** Runs it: what the parties say. */
    List<String> run() {
        Settings whole = (script.isEmpty() ? settings : settings.withScript(script)).withTrace(EVERY_EVENT);
        RunResult result = Simulation.run(whole);
        if (!result.violations().isEmpty()) {
            throw new IllegalStateException("the run violates " + result.violations());
        }
        List<TraceLine> lines = new ArrayList<>();
        for (String event : window(result.tail().stream().filter(this::asked).toList())) {
            TraceLine line = TraceLine.parse(event);
            int last = lines.size() - 1;
            if (last >= 0 && lines.get(last).saysTheSame(line)) {
                lines.set(last, lines.get(last).and(line));
            } else {
                lines.add(line);
            }
        }
        return lines.stream().map(line -> line.text(lines.get(0).millis())).toList();
    }

    private boolean asked(String event) {
        TraceLine line = TraceLine.parse(event);
        return shown.contains(line.kind())
                && !line.isOfProbe()
                && event.contains(only)
                && line.millis() * 1000 >= after;
    }

    /** The events from the first with one text to the next with the other. */
    private List<String> window(List<String> events) {
        List<String> begun =
                events.stream().dropWhile(event -> !event.contains(from)).toList();
        for (int end = 1; end < begun.size(); end++) {
            if (begun.get(end).contains(to)) {
                return begun.subList(0, end + 1);
            }
        }
        return begun;
    }
}
