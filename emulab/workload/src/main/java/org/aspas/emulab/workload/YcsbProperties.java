package org.aspas.emulab.workload;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.client.deployment.TextFile;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a YCSB workload, as its users give them: in files ({@code -P}) and one by one ({@code -p
 * name=value}). The names and defaults are YCSB's own. What would have no effect is named in {@link #ignored}; what cannot
 * be done is refused.
 */
public final class YcsbProperties {
    /** What {@code CoreWorkload} is told. */
    private static final Set<String> CHOOSING = Set.of(
            "recordcount",
            "readproportion",
            "updateproportion",
            "insertproportion",
            "readmodifywriteproportion",
            "requestdistribution",
            "fieldcount",
            "fieldlength",
            "minfieldlength",
            "fieldlengthdistribution",
            "writeallfields",
            "insertstart",
            "insertcount",
            "insertorder",
            "zeropadding",
            "hotspotdatafraction",
            "hotspotopnfraction",
            "exponential.percentile",
            "exponential.frac");

    /** What a feed is told. */
    private static final Set<String> OF_A_FEED = Set.of("recordcount", "fieldlength");

    /** What {@code bench} itself goes by. */
    private static final Set<String> DRIVING = Set.of(
            "workload",
            "scanproportion",
            "operationcount",
            "threadcount",
            "target",
            "maxexecutiontime",
            "aspas.elements");

    private static final Set<String> DISTRIBUTIONS =
            Set.of("uniform", "zipfian", "hotspot", "sequential", "exponential", "latest");
    private static final List<String> SHARES =
            List.of("readproportion", "updateproportion", "insertproportion", "readmodifywriteproportion");

    /** Other numbers and their least values. */
    private static final Map<String, Integer> CHECKED_NUMBERS = Map.of(
            "fieldcount",
            1,
            "fieldlength",
            1,
            "minfieldlength",
            1,
            "zeropadding",
            0,
            "operationcount",
            0,
            "aspas.elements",
            1);

    private final String source;
    private final Map<String, String> values;

    private YcsbProperties(String source, Map<String, String> values) {
        this.source = source;
        this.values = new TreeMap<>(values);
    }

    /**
     * Reads the files in order and then the single properties; a later value replaces an earlier one.
     *
     * @param base the mix to begin with where there is no file
     * @throws IllegalArgumentException naming the property, its value and what would be right
     */
    public static YcsbProperties read(WorkloadMix base, List<Path> files, Map<String, String> single)
            throws IOException {
        Map<String, String> values = new LinkedHashMap<>(files.isEmpty() ? base.properties() : Map.of());
        List<String> names = new ArrayList<>();
        for (Path file : files) {
            Properties read = new Properties();
            read.load(new StringReader(TextFile.read(file)));
            read.stringPropertyNames()
                    .forEach(name -> values.put(name, read.getProperty(name).strip()));
            Path name = file.getFileName();
            names.add(String.valueOf(name));
        }
        values.putAll(single);
        YcsbProperties properties =
                new YcsbProperties(names.isEmpty() ? base.label() : String.join("+", names), values);
        properties.check();
        return properties;
    }

    private void check() {
        String workload = values.getOrDefault("workload", "CoreWorkload");
        if (!workload.endsWith("CoreWorkload") && !isFeed()) {
            throw wrong("workload", workload, "site.ycsb.workloads.CoreWorkload, or feed");
        }
        if (share("scanproportion", 0) > 0) {
            throw wrong("scanproportion", values.get("scanproportion"), "0: objects have no order to scan");
        }
        String distribution = values.getOrDefault("requestdistribution", "uniform");
        if (!DISTRIBUTIONS.contains(distribution)) {
            throw wrong("requestdistribution", distribution, "one of " + DISTRIBUTIONS);
        }
        if (share("readproportion", 0.95)
                        + share("updateproportion", 0.05)
                        + share("insertproportion", 0)
                        + share("readmodifywriteproportion", 0)
                <= 0) {
            throw new IllegalArgumentException(source + ": no operation has a share above 0: set one of " + SHARES);
        }
        int records = records();
        int start = number("insertstart", 0, 0);
        int count = number("insertcount", records - start, 0);
        if (start + (long) count > records) {
            throw wrong("insertcount", String.valueOf(count), "at most recordcount - insertstart");
        }
        CHECKED_NUMBERS.forEach((name, least) -> number(name, least, least));
    }

    private double share(String name, double otherwise) {
        String text = values.get(name);
        try {
            double share = text == null ? otherwise : Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException none) {
            // said below
        }
        throw wrong(name, text, "a number from 0 to 1");
    }

    private int number(String name, int otherwise, int least) {
        String text = values.get(name);
        try {
            int number = text == null ? otherwise : Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException none) {
            // said below
        }
        throw wrong(name, text, "a whole number from " + least);
    }

    private OptionalInt optional(String name) {
        return values.containsKey(name) ? OptionalInt.of(number(name, 1, 1)) : OptionalInt.empty();
    }

    private IllegalArgumentException wrong(String name, @Nullable String value, String right) {
        return new IllegalArgumentException(source + ": " + name + " is " + value + ", but must be " + right);
    }

    /** What is said here and has no effect on these clients, as sentences. */
    public List<String> ignored(ObjectKind kind) {
        List<String> sentences = new ArrayList<>();
        Set<String> effective = isFeed() ? OF_A_FEED : CHOOSING;
        for (String name : values.keySet()) {
            if (!effective.contains(name) && !DRIVING.contains(name)) {
                sentences.add("ignored: " + name + "=" + values.get(name) + " has no effect here");
            }
        }
        if (isFeed()) {
            return sentences;
        }
        if (kind == ObjectKind.COUNTERS
                && (values.containsKey("aspas.elements") || number("fieldlength", 100, 1) != 8)) {
            sentences.add("ignored: the lengths of values, for an update of a counter adds one");
        }
        return sentences;
    }

    private boolean isFeed() {
        return WorkloadMix.FEED.label().equals(values.get("workload"));
    }

    /** How many records there are, from 1. */
    public int records() {
        return number("recordcount", 0, 1);
    }

    /** After how many operations the run ends; 0 for no such end. */
    public long operations() {
        return number("operationcount", 0, 0);
    }

    /** How many clients are asked for. */
    public OptionalInt threads() {
        return optional("threadcount");
    }

    /** How many operations a second are asked for; 0 means as many as go and is not told. */
    public OptionalInt target() {
        return number("target", 0, 0) == 0 ? OptionalInt.empty() : optional("target");
    }

    /** How many seconds the run lasts at most; 0 means no bound and is not told. */
    public OptionalInt maxSeconds() {
        return number("maxexecutiontime", 0, 0) == 0 ? OptionalInt.empty() : optional("maxexecutiontime");
    }

    /**
     * The workload.
     *
     * @param kind what the records of YCSB's are; a feed has both kinds
     */
    public WorkloadDefinition workload(ObjectKind kind) {
        if (isFeed()) {
            return new FeedWorkload(records(), number("fieldlength", 128, 1));
        }
        Map<String, String> told = new TreeMap<>(values);
        told.keySet().retainAll(CHOOSING);
        told.put("operationcount", String.valueOf(operations()));
        return new YcsbWorkload(source, kind, number("aspas.elements", YcsbWorkload.ELEMENTS, 1), told);
    }
}
