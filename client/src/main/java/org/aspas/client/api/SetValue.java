package org.aspas.client.api;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.wire.CertificateNumber;

/**
 * The live and the certified elements of a set, as {@link AddWinsSet#watch} and {@link TypedSet#watch} publish them. The sets are
 * unmodifiable.
 *
 * @param local the server's live elements, which no certificate covers yet
 * @param certified the elements at the certificate, verified by their proof; empty before the first certificate
 * @param certificate the certificate's number; {@link CertificateNumber#NONE} before the first
 * @param skipped how many changes were skipped since the subscription began because the subscriber was too slow
 */
public record SetValue<E>(Set<E> local, Optional<Set<E>> certified, CertificateNumber certificate, long skipped) {
    static <E> SetValue<E> of(WatchedPair<Set<E>> pair) {
        return new SetValue<>(pair.local(), Optional.ofNullable(pair.certified()), pair.certificate(), pair.skipped());
    }

    /** Returns the live elements that are not certified yet: all of them before the first certificate. */
    public Set<E> uncertifiedAdditions() {
        return without(local, certified.orElse(Set.of()));
    }

    /** Returns the certified elements that are no longer live. */
    public Set<E> uncertifiedRemovals() {
        return without(certified.orElse(Set.of()), local);
    }

    private static <E> Set<E> without(Set<E> some, Set<E> others) {
        Set<E> left = new LinkedHashSet<>(some);
        left.removeAll(others);
        return left;
    }
}
