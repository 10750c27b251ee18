package org.aspas.client.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An update that a client has accepted. It has two stages, which only the client can complete and which fail with an {@link
 * AspasException}. When {@link #answered} fails with {@link AspasException.MayTakeEffect}, {@link #confirmed} stays open, because the
 * client keeps sending the update under the same number. An expired deadline ({@link ClientOptions#withDeadlines}) fails the stage but
 * not the update. Only an update that still waited for room in the window of τ is withdrawn; its stages then fail with {@link
 * AspasException.TimedOut}. Thread-safe.
 */
public final class Update {
    private final CompletableFuture<UpdateAnswer> answered = new CompletableFuture<>();
    private final CompletableFuture<UpdateConfirmation> confirmed = new CompletableFuture<>();

    Update() {}

    /** Returns a stage with the server's verified answer: after one round trip, or with τ = 1 together with the confirmation. */
    public CompletionStage<UpdateAnswer> answered() {
        return answered.minimalCompletionStage();
    }

    /** Returns a stage with the confirmation: a verified certificate that covers this update. */
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
