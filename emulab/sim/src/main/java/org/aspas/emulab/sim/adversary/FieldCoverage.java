package org.aspas.emulab.sim.adversary;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How often each field was changed, and how many of the frames were fit to reach a core. */
public final class FieldCoverage {
    private static final class Count {
        long changed;
        long reached;
    }

    private final Map<String, Count> fields = new TreeMap<>();
    private long frames;
    private long reached;

    /**
     * Counts one frame.
     *
     * @param changed its fields that are not what they were
     * @param fit whether its receiver's decoder takes it and its signature, where it has one, is right
     */
    public void count(Collection<String> changed, boolean fit) {
        frames++;
        reached += fit ? 1 : 0;
        for (String field : changed) {
            Count count = fields.computeIfAbsent(field, any -> new Count());
            count.changed++;
            count.reached += fit ? 1 : 0;
        }
    }

    public void add(FieldCoverage other) {
        frames += other.frames;
        reached += other.reached;
        other.fields.forEach((field, count) -> {
            Count sum = fields.computeIfAbsent(field, any -> new Count());
            sum.changed += count.changed;
            sum.reached += count.reached;
        });
    }

    /** How many changed frames were sent. */
    public long frames() {
        return frames;
    }

    /** How many of them were fit to reach a core. */
    public long reached() {
        return reached;
    }

    public long changed(String field) {
        Count count = fields.get(field);
        return count == null ? 0 : count.changed;
    }

    /** How many frames with a change of this field were fit to reach a core. */
    public long reached(String field) {
        Count count = fields.get(field);
        return count == null ? 0 : count.reached;
    }

    /** One line for each kind: its fields with how often each was changed, and how many of those frames were fit to reach a core. */
    public String table() {
        Map<String, StringBuilder> lines = new TreeMap<>();
        for (String field : Fields.all()) {
            int dot = field.indexOf('.');
            lines.computeIfAbsent(
                            field.substring(0, dot),
                            kind -> new StringBuilder(String.format(Locale.ROOT, "%-22s", kind)))
                    .append(String.format(
                            Locale.ROOT, "  %s %d/%d", field.substring(dot + 1), changed(field), reached(field)));
        }
        return String.format(
                        Locale.ROOT,
                        "%d changed frames, %d fit to reach a core (field changed/reached)%n",
                        frames,
                        reached)
                + String.join(System.lineSeparator(), lines.values())
                + System.lineSeparator();
    }
}
