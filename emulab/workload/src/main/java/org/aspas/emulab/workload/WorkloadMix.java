package org.aspas.emulab.workload;

import java.util.LinkedHashMap;
import java.util.Map;

/** The operation mixes, as the properties that YCSB's own workload files set. */
public enum WorkloadMix {
    /** YCSB workload A, update heavy: half reads, half updates. */
    A("A", "zipfian", "0.5", "0.5", "0", "0"),
    /** YCSB workload B, read mostly: 95 % reads, 5 % updates. */
    B("B", "zipfian", "0.95", "0.05", "0", "0"),
    /** YCSB workload C, reads only. */
    C("C", "zipfian", "1", "0", "0", "0"),
    /** YCSB workload D, read latest: 95 % reads, 5 % inserts, and the newest records are read most. */
    D("D", "latest", "0.95", "0", "0.05", "0"),
    /** YCSB workload F: half reads, half read-modify-writes. */
    F("F", "zipfian", "0.5", "0", "0", "0.5"),
    /** Updates only; not one of YCSB's own. */
    UPDATE("update", "zipfian", "0", "1", "0", "0"),
    /** A social feed; not one of YCSB's own, and its shares are those of {@link FeedWorkload}. */
    FEED("feed", "zipfian", "0.6", "0.4", "0", "0");

    private final String label;
    private final String distribution;
    private final String reads;
    private final String updates;
    private final String inserts;
    private final String readModifyWrites;

    WorkloadMix(
            String label, String distribution, String reads, String updates, String inserts, String readModifyWrites) {
        this.label = label;
        this.distribution = distribution;
        this.reads = reads;
        this.updates = updates;
        this.inserts = inserts;
        this.readModifyWrites = readModifyWrites;
    }

    /** The name for people and JSON. */
    public String label() {
        return label;
    }

    /** YCSB's properties for it, over a thousand records of one field of eight bytes; comments of the feed have 128. */
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("recordcount", "1000");
        if (this == FEED) {
            properties.put("workload", label);
            properties.put("fieldlength", "128");
            return properties;
        }
        properties.put("readproportion", reads);
        properties.put("updateproportion", updates);
        properties.put("insertproportion", inserts);
        properties.put("readmodifywriteproportion", readModifyWrites);
        properties.put("requestdistribution", distribution);
        properties.put("fieldcount", "1");
        properties.put("fieldlength", "8");
        return properties;
    }
}
