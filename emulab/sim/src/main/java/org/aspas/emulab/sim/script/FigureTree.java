package org.aspas.emulab.sim.script;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a result, by name and in order. {@link JsonReport} writes all of them; lines for people name those that they show.
 * Names are in snake case, and end with the unit where there is one. Values are kept exactly: only a report rounds them. Not
 * thread-safe.
 *
 * <p>A line has places in braces. {@code {latency_ms.p50|%.1f}} shows the figure at a path in a {@link java.util.Formatter} format, or
 * as it is without one; {@code {busy*100|%.0f}} and {@code {gap_ms/1000|%.1f}} change its unit first. A place without a path, such as
 * {@code {}} or {@code {|%9s}}, shows the next word given with the line. In the row of a table, what follows a second bar is the head
 * of the column: {@code {count|%,9d|count}}.
 */
public final class FigureTree {
    private static final Pattern PLACE =
            Pattern.compile("\\{([\\w.]*)(?:([*/])([0-9]+))?(?:\\|([^|}]*))?(?:\\|([^}]*))?}");
    private static final Pattern FLAGS_AND_WIDTH = Pattern.compile("%(-?),?([0-9]*).*");

    private final ObjectNode root;

    public FigureTree() {
        this(new ObjectNode(JsonNodeFactory.instance));
    }

    private FigureTree(ObjectNode root) {
        this.root = root;
    }

    /** The figures of a record: its components. */
    public static FigureTree of(Record figures) {
        return new FigureTree(JsonReport.<ObjectNode>tree(figures));
    }

    /**
     * Adds a figure, or replaces the one of the same name.
     *
     * @param value a number, a text, a truth value, a record, a tree, or a list or map of them; null is shown as null
     */
    public FigureTree with(String name, @Nullable Object value) {
        root.set(name, JsonReport.tree(value));
        return this;
    }

    /** As {@link #with}, but without what is null or an empty list, map or tree. */
    public FigureTree withKnown(String name, @Nullable Object value) {
        JsonNode known = JsonReport.tree(value);
        if (!known.isNull() && !(known.isContainerNode() && known.isEmpty())) {
            root.set(name, known);
        }
        return this;
    }

    /** Adds the figures of another tree here, a prefix before their names. */
    public FigureTree withAll(String prefix, FigureTree other) {
        other.root.properties().forEach(figure -> root.set(prefix + figure.getKey(), figure.getValue()));
        return this;
    }

    @JsonValue
    ObjectNode root() {
        return root;
    }

    private JsonNode at(String path) {
        return root.at("/" + path.replace('.', '/'));
    }

    /** Whether there is something at a path. */
    public boolean has(String path) {
        return !at(path).isMissingNode();
    }

    /** Whether what is at a path is true. */
    public boolean is(String path) {
        return at(path).asBoolean();
    }

    /** The number at a path; 0 where there is none. */
    public double number(String path) {
        return at(path).asDouble();
    }

    /**
     * The line with its figures.
     *
     * @param words what places without a path show, in order
     * @throws IllegalStateException when a path leads to no figure
     */
    public String line(String line, Object... words) {
        Iterator<Object> given = Arrays.asList(words).iterator();
        return PLACE.matcher(line).replaceAll(place -> Matcher.quoteReplacement(shown(place, given)));
    }

    private String shown(MatchResult place, Iterator<Object> words) {
        Object value = place.group(1).isEmpty() ? words.next() : value(place);
        String format = place.group(4);
        return format == null ? value.toString() : String.format(Locale.ROOT, format, value);
    }

    private Object value(MatchResult place) {
        JsonNode figure = at(place.group(1));
        if (!figure.isValueNode() || figure.isNull()) {
            throw new IllegalStateException("there is no figure " + place.group(1) + " in " + root);
        }
        if (place.group(2) != null) {
            double factor = Double.parseDouble(place.group(3));
            return place.group(2).equals("*") ? figure.asDouble() * factor : figure.asDouble() / factor;
        }
        return figure.isNumber() ? figure.numberValue() : figure.asText();
    }

    /** The line above the rows of a table: the heads of their columns, as wide as these. */
    public static String head(String row) {
        return PLACE.matcher(row)
                .replaceAll(place -> place.group(5) == null
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                FLAGS_AND_WIDTH.matcher(place.group(4)).replaceFirst("%$1$2s"),
                                place.group(5)));
    }
}
