package org.aspas.emulab.sim.world;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A value in a YAML file that knows its line, so that whoever finds it wrong can say where. */
public final class YamlValue {
    private static final int MOST_CHARACTERS = 1 << 20;
    private static final Pattern DURATION = Pattern.compile("([0-9.]+) *(us|ms|s|min|h)");
    private static final Map<String, Double> MICROS = Map.of("us", 1.0, "ms", 1e3, "s", 1e6, "min", 60e6, "h", 3600e6);

    private final String file;
    private final String name;
    private final Node node;

    private YamlValue(String file, String name, Node node) {
        this.file = file;
        this.name = name;
        this.node = node;
    }

    /**
     * The whole of a file.
     *
     * @param file its name, for mistakes
     * @throws MalformedFileException when it is no YAML
     */
    public static YamlValue read(String file, String text) throws MalformedFileException {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setMaxAliasesForCollections(0)
                .setCodePointLimit(MOST_CHARACTERS)
                .build();
        try {
            Node root = new Compose(settings)
                    .composeString(text)
                    .orElseThrow(() -> new MalformedFileException(file, 1, "the file is empty"));
            return new YamlValue(file, "the file", root);
        } catch (MarkedYamlEngineException broken) {
            int line = broken.getProblemMark().map(Mark::getLine).orElse(0) + 1;
            throw new MalformedFileException(file, line, "this is no YAML: " + broken.getProblem());
        } catch (YamlEngineException broken) {
            throw new MalformedFileException(file, 1, "this is no YAML: " + broken.getMessage());
        }
    }

    /** The exception for a mistake at the line of this value. */
    public MalformedFileException mistake(String what) {
        int line = node.getStartMark().map(Mark::getLine).orElse(0) + 1;
        return new MalformedFileException(file, line, what);
    }

    /** Its fields, of which no others than these may be there. */
    public Map<String, YamlValue> fields(Set<String> known) throws MalformedFileException {
        Map<String, YamlValue> fields = fields();
        for (Map.Entry<String, YamlValue> field : fields.entrySet()) {
            if (!known.contains(field.getKey())) {
                throw field.getValue()
                        .mistake("unknown key " + field.getKey() + " in " + name + ": known are "
                                + String.join(", ", new TreeSet<>(known)));
            }
        }
        return fields;
    }

    /** Its fields, in the order of the file. */
    public Map<String, YamlValue> fields() throws MalformedFileException {
        if (!(node instanceof MappingNode mapping)) {
            throw mistake(name + " needs keys and values");
        }
        Map<String, YamlValue> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = new YamlValue(file, "a key of " + name, tuple.getKeyNode()).text();
            YamlValue value = new YamlValue(file, key, tuple.getValueNode());
            if (fields.put(key, value) != null) {
                throw value.mistake(key + " stands twice in " + name);
            }
        }
        return fields;
    }

    /** One of its fields, which has to be there. */
    public YamlValue needed(Map<String, YamlValue> fields, String key) throws MalformedFileException {
        YamlValue value = fields.get(key);
        if (value == null) {
            throw mistake(key + " is missing");
        }
        return value;
    }

    /** Its elements; one value alone counts as a list of one. */
    public List<YamlValue> elements() {
        if (!(node instanceof SequenceNode sequence)) {
            return List.of(this);
        }
        List<YamlValue> elements = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            elements.add(new YamlValue(file, "an element of " + name, element));
        }
        return elements;
    }

    public String text() throws MalformedFileException {
        if (node instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
            return scalar.getValue().strip();
        }
        throw mistake(name + " needs one value");
    }

    /** A number within bounds. */
    public double number(double low, double high) throws MalformedFileException {
        return number(text(), low, high);
    }

    /** A whole number within bounds. */
    public long whole(long low, long high) throws MalformedFileException {
        double number = number((double) low, (double) high);
        if (number != Math.rint(number)) {
            throw mistake(name + " is " + text() + ": it takes a whole number");
        }
        return (long) number;
    }

    private double number(String text, double low, double high) throws MalformedFileException {
        double number = parsed(text);
        if (!(number >= low && number <= high)) {
            throw mistake(String.format(
                    Locale.ROOT, "%s is %s: it takes a number from %s to %s", name, text, plain(low), plain(high)));
        }
        return number;
    }

    /** A part of a whole: "5 %" or 0.05. */
    public double part() throws MalformedFileException {
        String text = text();
        return text.endsWith("%")
                ? number(text.substring(0, text.length() - 1).strip(), 0, 100) / 100
                : number(text, 0, 1);
    }

    /** One number or two with a hyphen in between, in bounds, the lower one first. */
    public Range range(double low, double high) throws MalformedFileException {
        String text = text();
        int hyphen = text.indexOf('-', 1);
        if (hyphen < 0) {
            double only = number(text, low, high);
            return new Range(only, only);
        }
        double from = number(text.substring(0, hyphen).strip(), low, high);
        double to = number(text.substring(hyphen + 1).strip(), low, high);
        if (from > to) {
            throw mistake(name + " is " + text + ": the lower number comes first");
        }
        return new Range(from, to);
    }

    /** A time with its unit, in microseconds. */
    public long micros() throws MalformedFileException {
        Matcher duration = DURATION.matcher(text());
        double number = duration.matches() ? parsed(duration.group(1)) : Double.NaN;
        if (Double.isNaN(number)) {
            throw mistake(name + " is " + text() + ": it takes a time such as 250 ms, 1.5 s or 2 min");
        }
        return Math.round(number * MICROS.getOrDefault(duration.group(2), Double.NaN));
    }

    private static double parsed(String number) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException none) {
            return Double.NaN;
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.format(Locale.ROOT, "%,d", (long) number) : Double.toString(number);
    }

    /**
     * From one number to another.
     *
     * @param high {@code low} or more
     */
    public record Range(double low, double high) {}
}
