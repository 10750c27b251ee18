package org.aspas.appserver.core.state;

import java.util.Locale;

/** Values of τ that are counted together. */
public enum TauBucket {
    /** 1: each update waits for its certificate. */
    ONE("1", 1),
    TEN("2-10", 10),
    HUNDRED("11-100", 100),
    THOUSAND("101-1000", 1000),
    MORE("1001+", Long.MAX_VALUE),
    UNBOUNDED("unbounded", 0);

    private final String label;
    private final long most;
    private final String sessionsGauge;
    private final String unconfirmedGauge;

    TauBucket(String label, long most) {
        this.label = label;
        this.most = most;
        String bucket = "_tau_bucket_" + name().toLowerCase(Locale.ROOT);
        this.sessionsGauge = "sessions" + bucket;
        this.unconfirmedGauge = "unconfirmed" + bucket;
    }

    /**
     * Where a τ belongs.
     *
     * @param tolerance from 1, or 0 for unbounded
     */
    public static TauBucket of(long tolerance) {
        if (tolerance == 0) {
            return UNBOUNDED;
        }
        for (TauBucket bucket : values()) {
            if (tolerance <= bucket.most) {
                return bucket;
            }
        }
        return MORE;
    }

    /** The values, for people and as a label of metrics. */
    public String label() {
        return label;
    }

    /** The gauge in {@link CoreStatus#gauges} that counts the clients with such a τ that have a session. */
    public String sessionsGauge() {
        return sessionsGauge;
    }

    /** The gauge that counts the updates which this server entered for those clients and no certificate covers. */
    public String unconfirmedGauge() {
        return unconfirmedGauge;
    }
}
