package org.aspas.emulab.sim.model;

/**
 * Something that a certificate says and that does not follow from the entries.
 *
 * @param text what was seen, in one sentence
 */
public record Discrepancy(About about, String text) {
    /** What a certificate says. */
    public enum About {
        /** Its place in the chain, its version, its log roots, its exclusions, its causal closure. */
        LOGS,
        /** Its state root. */
        STATE
    }
}
