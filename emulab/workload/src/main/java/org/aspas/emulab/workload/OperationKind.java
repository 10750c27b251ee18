package org.aspas.emulab.workload;

/** What one operation of a workload does; latencies are kept for each. */
public enum OperationKind {
    READ("read"),
    /** Updates one object. An insert is one too, for an object comes into being with its first update. */
    UPDATE("update"),
    /** Reads one object and then updates it; its latency is that of both together. */
    READ_MODIFY_WRITE("read-modify-write");

    private final String label;

    OperationKind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
