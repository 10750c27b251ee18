package org.aspas.appserver.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Confirmation;
import org.jspecify.annotations.Nullable;

/** Who waits for a certificate: for one with a number, or for any that covers an update. For one thread. */
final class CertificateWaiters {
    private final Executor thread;
    private final Map<Long, CompletableFuture<Certificate>> byUpdate = new HashMap<>();
    private final Map<CertificateNumber, List<CompletableFuture<CertificateReply>>> byNumber = new HashMap<>();

    /** {@code thread} is the only one that may call this. */
    CertificateWaiters(Executor thread) {
        this.thread = thread;
    }

    void await(CertificateNumber number, CompletableFuture<CertificateReply> reply) {
        byNumber.computeIfAbsent(number, any -> new ArrayList<>()).add(reply);
    }

    /** Somebody waits for a certificate that covers an update, until it comes or they give up. */
    void awaitConfirmation(long update, @Nullable CompletableFuture<Certificate> confirmation) {
        if (confirmation != null && !confirmation.isDone()) {
            byUpdate.put(update, confirmation);
            confirmation.whenComplete(
                    (certificate, failure) -> thread.execute(() -> byUpdate.remove(update, confirmation)));
        }
    }

    void confirmed(Confirmation confirmation) {
        for (Confirmation.Covered covered : confirmation.covered()) {
            CompletableFuture<Certificate> waiter = byUpdate.remove(covered.number());
            if (waiter != null) {
                waiter.complete(confirmation.certificate());
            }
        }
    }

    void replied(CertificateReply reply) {
        List<CompletableFuture<CertificateReply>> waiters = byNumber.remove(reply.number());
        if (waiters != null) {
            waiters.forEach(waiter -> waiter.complete(reply));
        }
    }

    Set<CertificateNumber> numbers() {
        return byNumber.keySet();
    }

    /** Cancels those who wait for a number. */
    void cancel() {
        byNumber.values().forEach(waiters -> waiters.forEach(waiter -> waiter.cancel(false)));
        byNumber.clear();
    }
}
