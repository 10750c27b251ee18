package org.aspas.emulab.sim.node;

/** The systems that a load can meet in the simulator: the paper's Table 1 by the clients' τ, and the same without certification. */
public enum LoadedSystem {
    /** No client waits for certificates. */
    ASPAS0(0, 0),
    /** 5 % of the clients with τ=1, 50 % with τ=1000. */
    ASPAS1(5, 50),
    /** 3 % of the clients with τ=1, 30 % with τ=1000. */
    ASPAS2(3, 30),
    /** All clients with τ=1000. */
    ASPAS3(0, 100),
    /** All clients with τ=1. */
    ASPAS4(100, 0),
    /**
     * ASPAS0 in which signatures, bftservers and the messages and steps of certification alone cost nothing. It is no other
     * program: requests and answers keep the length that signatures give them, and what the cores do for logs and heads
     * besides is counted.
     */
    AP(0, 0);

    private static final long BOUNDED = 1_000;
    private static final double PERCENT = 100;

    private final int strictPercent;
    private final int boundedPercent;

    LoadedSystem(int strictPercent, int boundedPercent) {
        this.strictPercent = strictPercent;
        this.boundedPercent = boundedPercent;
    }

    /** Whether certification and signatures cost something. */
    public boolean isCertified() {
        return this != AP;
    }

    /** The τ of a client, from 1, or 0 for unbounded; the strict ones come first. */
    public long tolerance(int client, int clients) {
        long strict = Math.round(clients * strictPercent / PERCENT);
        long bounded = Math.round(clients * boundedPercent / PERCENT);
        return client < strict ? 1 : client < strict + bounded ? BOUNDED : 0;
    }
}
