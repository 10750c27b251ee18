package org.aspas.emulab.sim.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.aspas.emulab.sim.script.Fault;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenario;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.aspas.emulab.sim.world.MalformedFileException;

/**
 * A trace as text: what it shows in lines with #, commands, a line of dashes, and what the parties say. The commands are those of a
 * scenario ({@code ScenarioReader}), in which nothing goes wrong by chance, and:
 *
 * <pre>
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
    private static final int EVERY_EVENT = 3_000_000;
    private static final double MICROS = 1e6;

    private final List<String> head = new ArrayList<>();
    private final List<String> output = new ArrayList<>();
    private final Set<String> shown = new HashSet<>();
    private Settings settings = Settings.of(1);
    private String only = "";
    private long after;
    private String from = "";
    private String to = "\u0000";

    private TraceFile() {}

    static TraceFile read(Path path) throws IOException {
        TraceFile file = new TraceFile();
        StringBuilder scenario = new StringBuilder();
        boolean cut = false;
        for (String line : Files.readAllLines(path)) {
            (cut ? file.output : file.head).add(line);
            cut |= line.equals(CUT);
            // Each keeps its line, so that a mistake in one is told by its number.
            scenario.append(cut || file.shows(line) ? "" : line).append('\n');
        }
        try {
            Settings read = Scenario.read(path.getFileName().toString(), scenario + "chance none")
                    .settings(1);
            file.settings = read.withScript(numbered(read.script()));
        } catch (MalformedFileException broken) {
            throw new IllegalArgumentException(broken);
        }
        return file;
    }

    /** Whether a line says what is shown. */
    private boolean shows(String line) {
        int space = line.indexOf(' ');
        String rest = line.substring(space + 1);
        switch (space < 0 ? "" : line.substring(0, space)) {
            case "show" -> shown.addAll(List.of(rest.split(" +")));
            case "only" -> only = rest;
            case "after" -> after = Math.round(Double.parseDouble(rest) * MICROS);
            case "from" -> from = rest;
            case "to" -> to = rest;
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The faults with the numbers from 0, which readers count by. */
    private static List<Fault> numbered(List<Fault> faults) {
        List<Fault> numbered = new ArrayList<>();
        for (Fault fault : faults) {
            numbered.add(new Fault(
                    numbered.size(),
                    fault.kind(),
                    fault.begins(),
                    fault.ends(),
                    fault.some(),
                    fault.others(),
                    fault.client(),
                    fault.conditions()));
        }
        return numbered;
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
        RunResult result = Simulation.run(settings.withTrace(EVERY_EVENT));
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
