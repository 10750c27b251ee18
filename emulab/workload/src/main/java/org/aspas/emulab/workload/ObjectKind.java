package org.aspas.emulab.workload;

/** What a YCSB record is in ASPAS. */
public enum ObjectKind {
    /** A PN-counter: an update increments it by one. */
    COUNTERS("counters", "ycsb/counter/"),
    /** An add-wins set: an update adds one of a bounded number of elements. */
    SETS("sets", "ycsb/set/");

    private final String label;
    private final String prefix;

    ObjectKind(String label, String prefix) {
        this.label = label;
        this.prefix = prefix;
    }

    /** The name for people and JSON. */
    public String label() {
        return label;
    }

    public String objectKey(String record) {
        return prefix + record;
    }
}
