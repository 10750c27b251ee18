package org.aspas.emulab.sim.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ScriptLine;

/**
 * The scenarios that come with the simulator, from the scripts beside this class: those that broke earlier drafts of the protocol
 * (docs/protocol.md §11) as far as the code has what they need, and those that stress one guarantee. Thread-safe.
 */
public final class Scenarios {
    private static final List<String> FILES =
            List.of("load.txt", "faults.txt", "disks.txt", "keys.txt", "protocol.txt");
    private static final Map<String, Scenario> ALL = new TreeMap<>();

    static {
        try {
            for (String file : FILES) {
                read(file, text(file), ALL);
            }
        } catch (MalformedFileException broken) {
            throw new IllegalStateException("a script of the build", broken);
        }
    }

    private Scenarios() {}

    private static String text(String file) {
        try (InputStream bytes = Scenarios.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException("the script " + file + " is not in the build");
            }
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Adds the scenarios of a file to those above. */
    static void read(String file, String text, Map<String, Scenario> all) throws MalformedFileException {
        List<ScriptLine> lines = ScriptLine.lines(file, text);
        int next = 0;
        while (next < lines.size()) {
            ScriptLine head = lines.get(next);
            int begin = ++next;
            while (next < lines.size() && !Scenario.isHead(lines.get(next))) {
                next++;
            }
            Scenario scenario = new Scenario(head, lines.subList(begin, next), all);
            if (all.put(scenario.name(), scenario) != null) {
                throw head.wrong("there is another " + scenario.name() + " above");
            }
        }
    }

    /** The names of the scenarios that keep every guarantee; {@link ExpectedFailures} has others. */
    public static List<String> names() {
        return ALL.values().stream()
                .filter(scenario -> scenario.shown() && scenario.failing() == null)
                .map(Scenario::name)
                .toList();
    }

    /**
     * A scenario: settings by seed.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    public static LongFunction<Settings> named(String name) {
        Scenario scenario = ALL.get(name);
        if (scenario == null || !scenario.shown()) {
            throw new IllegalArgumentException("there is no scenario '" + name + "': there are " + names() + ", and "
                    + ExpectedFailures.names() + ", which are expected to fail");
        }
        return scenario::settings;
    }

    /** All by name, those too that fail, or only direct runs with settings of their own. */
    static Map<String, Scenario> all() {
        return Collections.unmodifiableMap(ALL);
    }

    /**
     * What directs runs with these settings.
     *
     * @param name as {@link Settings#schedule} has it
     * @throws IllegalArgumentException when there is none of this name
     */
    static Scenario schedule(String name) {
        Scenario scenario = name.isEmpty() ? Scenario.CHANCE : ALL.get(name);
        if (scenario == null) {
            throw new IllegalArgumentException("there is no schedule '" + name + "'");
        }
        return scenario;
    }
}
