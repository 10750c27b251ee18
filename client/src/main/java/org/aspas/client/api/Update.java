package org.aspas.client.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One update on its way. Both stages fail with an {@link AspasException}, and no caller can complete them. When the first fails
 * with {@link AspasException.MayTakeEffect}, the second stays open, for the client goes on with the update under the same number.
 * A deadline ({@link ClientOptions#withDeadlines}) fails a stage, and not the update: it is withdrawn only if it still waited for
 * room in the window of τ, which {@link AspasException.TimedOut} says. Thread-safe.
 */
public final class Update {
    private final CompletableFuture<UpdateAnswer> answered = new CompletableFuture<>();
    private final CompletableFuture<UpdateConfirmation> confirmed = new CompletableFuture<>();

    Update() {}

    /** The server's verified answer: one round trip, or with τ = 1 together with the confirmation. */
    public CompletionStage<UpdateAnswer> answered() {
        return answered.minimalCompletionStage();
    }

    /** The verified certificate that covers this update. */
    public CompletionStage<UpdateConfirmation> confirmed() {
        return confirmed.minimalCompletionStage();
    }

    void answer(UpdateAnswer answer) {
        answered.complete(answer);
    }

    void confirm(UpdateConfirmation confirmation) {
        confirmed.complete(confirmation);
    }

    void mayTakeEffect(AspasException why) {
        answered.completeExceptionally(why);
    }

    void unconfirmed(AspasException why) {
        confirmed.completeExceptionally(why);
    }

    void fail(AspasException failure) {
        answered.completeExceptionally(failure);
        confirmed.completeExceptionally(failure);
    }
}
