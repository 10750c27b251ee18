package org.aspas.emulab.workload;

import java.util.concurrent.CompletionStage;

/**
 * An update on its way.
 *
 * @param answered done when the update counts as returned: on the verified answer, for τ = 1 on its confirmation
 * @param confirmed done, with the certificate's number, when a verified certificate covers the update
 */
public record Write(CompletionStage<?> answered, CompletionStage<Long> confirmed) {}
