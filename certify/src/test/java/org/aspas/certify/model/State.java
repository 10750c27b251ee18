package org.aspas.certify.model;

/**
 * A state of the whole.
 *
 * @param machine the machine at the end of the order
 * @param replicas the correct replicas; those that run have executed the whole order
 * @param soup what correct replicas ever submitted
 * @param signed a bit for each replica and content: who ever signed what
 * @param spent how much of each budget is spent
 */
record State(int machine, int[] replicas, int soup, long signed, int spent) {
    static final int COLD = 0;
    static final int LOST = 2;
    static final int RESTARTS = 4;
    static final int CONTENTS = 20;

    int spent(int budget) {
        return (spent >> budget) & 3;
    }

    State spend(int budget) {
        return new State(machine, replicas, soup, signed, spent + (1 << budget));
    }

    boolean signed(int replica, int content) {
        return ((signed >> (replica * CONTENTS + content)) & 1) != 0;
    }

    /** How many correct replicas ever signed it. */
    int signers(int content) {
        int count = 0;
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            count += signed(replica, content) ? 1 : 0;
        }
        return count;
    }

    State with(int machine, int soup) {
        return new State(machine, replicas, soup, signed, spent);
    }

    State with(int replica, Replicas.Result result, Soups soups) {
        int[] next = replicas.clone();
        next[replica] = result.next();
        long bits = signed;
        for (int content : result.shares()) {
            if (content >= CONTENTS) {
                throw new IllegalStateException("content " + content);
            }
            bits |= 1L << (replica * CONTENTS + content);
        }
        return new State(machine, next, soups.with(soup, result.words()), bits, spent);
    }

    State withReplica(int replica, int node) {
        int[] next = replicas.clone();
        next[replica] = node;
        return new State(machine, next, soup, signed, spent);
    }
}
