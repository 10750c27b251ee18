package org.aspas.emulab.workload;

import java.util.Properties;
import site.ycsb.workloads.CoreWorkload;

/** The operation mixes, as the properties that YCSB's own workload files set. */
public enum WorkloadMix {
    /** YCSB workload A, update heavy: half reads, half updates. */
    A("A", "0.5", "0.5"),
    /** YCSB workload B, read mostly: 95 % reads, 5 % updates. */
    B("B", "0.95", "0.05"),
    /** Updates only; not one of YCSB's own. */
    UPDATE("update", "0", "1");

    private final String label;
    private final String readShare;
    private final String updateShare;

    WorkloadMix(String label, String readShare, String updateShare) {
        this.label = label;
        this.readShare = readShare;
        this.updateShare = updateShare;
    }

    /** The name for people and JSON. */
    public String label() {
        return label;
    }

    /**
     * The properties of {@link CoreWorkload}: zipfian requests over {@code records} records of one short field.
     *
     * @param records the number of records, from 1
     */
    public Properties properties(int records) {
        Properties properties = new Properties();
        properties.setProperty("recordcount", Integer.toString(records));
        properties.setProperty("operationcount", "0");
        properties.setProperty(CoreWorkload.READ_PROPORTION_PROPERTY, readShare);
        properties.setProperty(CoreWorkload.UPDATE_PROPORTION_PROPERTY, updateShare);
        properties.setProperty(CoreWorkload.SCAN_PROPORTION_PROPERTY, "0");
        properties.setProperty(CoreWorkload.INSERT_PROPORTION_PROPERTY, "0");
        properties.setProperty(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY, "zipfian");
        properties.setProperty(CoreWorkload.FIELD_COUNT_PROPERTY, "1");
        properties.setProperty(CoreWorkload.FIELD_LENGTH_PROPERTY, "8");
        return properties;
    }
}
