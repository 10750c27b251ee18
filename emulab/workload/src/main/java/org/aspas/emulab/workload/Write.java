package org.aspas.emulab.workload;

import java.util.concurrent.CompletionStage;

/**
 * An update on its way.
 *
 * @param answered done when the update counts as returned: on the verified answer, for τ = 1 on its confirmation
 * @param confirmed done when a verified certificate covers the update
 */
public record Write(CompletionStage<?> answered, CompletionStage<Confirmed> confirmed) {
    /**
     * A verified confirmation.
     *
     * @param certificate the number of the certificate that covers the update
     * @param lagNanos from the server's verified answer to the confirmation, in nanoseconds
     */
    public record Confirmed(long certificate, long lagNanos) {}
}
