package org.aspas.emulab.workload;

/** The three classes of clients in the paper's Table 1, by τ: how many own updates may be unconfirmed. */
public enum ToleranceClass {
    /** Every update waits for its certificate. */
    TAU_1("tau_1", "τ=1", 1),
    /** Up to a thousand unconfirmed updates. */
    TAU_1000("tau_1000", "τ=1000", 1000),
    /** Never waits. */
    TAU_INF("tau_inf", "τ=∞", 0);

    private final String key;
    private final String label;
    private final long tolerance;

    ToleranceClass(String key, String label, long tolerance) {
        this.key = key;
        this.label = label;
        this.tolerance = tolerance;
    }

    /** The name in JSON. */
    public String key() {
        return key;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** τ as the client takes it: from 1, or 0 for no bound. */
    public long tolerance() {
        return tolerance;
    }
}
