package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.List;

/** The three classes of clients of ASPAS2 in the paper's Table 1, by τ: how many own updates may be unconfirmed. */
public enum ToleranceClass {
    /** 3 % of the clients: every update waits for its certificate. */
    TAU_1("tau_1", "τ=1", 1),
    /** 30 % of the clients: up to a thousand unconfirmed updates. */
    TAU_1000("tau_1000", "τ=1000", 1000),
    /** 67 % of the clients: never wait. */
    TAU_INF("tau_inf", "τ=∞", 0);

    private static final double SHARE_OF_TAU_1 = 0.03;
    private static final double SHARE_OF_TAU_1000 = 0.30;

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

    /**
     * Deals the classes to clients in the shares of Table 1; from three clients on each class has at least one.
     *
     * @param clients how many clients there are, from 1
     * @return one class per client; the same for the same number
     */
    public static List<ToleranceClass> mix(int clients) {
        int least = clients >= values().length ? 1 : 0;
        int strict = Math.max(least, (int) Math.round(clients * SHARE_OF_TAU_1));
        int bounded = Math.max(least, (int) Math.round(clients * SHARE_OF_TAU_1000));
        List<ToleranceClass> mixed = new ArrayList<>(clients);
        for (int client = 0; client < clients; client++) {
            mixed.add(client < strict ? TAU_1 : client < strict + bounded ? TAU_1000 : TAU_INF);
        }
        return List.copyOf(mixed);
    }
}
