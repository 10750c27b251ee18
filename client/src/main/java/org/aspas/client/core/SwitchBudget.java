package org.aspas.client.core;

/**
 * What switches for doubt may cost, so that honest overload makes no switching storm (the protocol page, docs/protocol.md §6).
 * Each such switch costs one entry for the session, and one for each update that the next server enters a second time. A client
 * begins with {@link #FIRST} entries and earns one with every {@link #ANSWERS} answered updates, and one in each grace time
 * while it has less than the first ones. It leaves a server that responds for doubt only while it owes nothing; a debt of more
 * than {@link #DEBT} entries is forgotten, so that a client that meets several bad servers is held for a time that is known. To
 * leave a server that does not respond is charged, and always allowed. A switch for proof or a refusal costs nothing.
 */
public final class SwitchBudget {
    private static final int FIRST = 16;
    private static final int ANSWERS = 40;
    private static final int MOST = 64;
    private static final int DEBT = 16;

    private final long graceMillis;
    private final Step step;
    /** In parts: an answer earns one, an entry costs {@link #ANSWERS}. */
    private long parts = FIRST * ANSWERS;

    private long filledAt;
    private boolean charged;

    /**
     * The first entries, and no switch so far.
     *
     * @param graceMillis one entry is earned in this time, from 1
     */
    public SwitchBudget(long graceMillis, Step step) {
        this.graceMillis = graceMillis;
        this.step = step;
    }

    /** Whether the client may leave its server for doubt. */
    public boolean allows() {
        long periods = (step.now() - filledAt) / graceMillis;
        filledAt += periods * graceMillis;
        if (parts < FIRST * ANSWERS) {
            parts = Math.min(parts + periods * ANSWERS, FIRST * ANSWERS);
        }
        return parts > 0;
    }

    public void turned(boolean doubt) {
        charged = doubt;
        resubmitted();
    }

    /** The present server is given an update that another one was given before. */
    public void resubmitted() {
        if (charged) {
            parts = Math.max(parts - ANSWERS, -DEBT * ANSWERS);
        }
    }

    public void answered() {
        parts = Math.min(parts + 1, MOST * ANSWERS);
    }
}
