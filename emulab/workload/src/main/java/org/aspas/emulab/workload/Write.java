package org.aspas.emulab.workload;

import java.util.concurrent.CompletionStage;

/**
 * An update on its way.
 *
 * @param answered done when the update counts as returned: on the verified answer, for τ = 1 on its confirmation
 * @param confirmed done when a verified certificate covers the update
 */
public record Write(CompletionStage<?> answered, CompletionStage<Confirmed> confirmed) {
    /** An update of a system that certifies nothing: there is nothing to wait for after the answer. */
    public static Write uncertified(CompletionStage<?> answered) {
        return new Write(answered, answered.thenApply(answer -> Confirmed.WITHOUT_CERTIFICATE));
    }

    /**
     * A verified confirmation.
     *
     * @param certificate the number of the certificate that covers the update; 0 for none, in a system that certifies
     *     nothing
     * @param lagNanos from the server's verified answer to the confirmation, in nanoseconds
     */
    public record Confirmed(long certificate, long lagNanos) {
        /** The end of an update that no certificate covers. */
        public static final Confirmed WITHOUT_CERTIFICATE = new Confirmed(0, 0);
    }
}
