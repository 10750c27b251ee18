package org.aspas.client.api;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.wire.CertificateNumber;

/**
 * What a set is, as {@link AddWinsSet#watch} and {@link TypedSet#watch} see it. The sets cannot be changed.
 *
 * @param local the live elements of the server, which no certificate covers yet
 * @param certified the elements at the certificate, proved; empty before the first certificate
 * @param certificate the certificate's number; {@link CertificateNumber#NONE} before the first
 * @param skipped how many changes the subscriber was too slow for, since it subscribed
 */
public record SetValue<E>(Set<E> local, Optional<Set<E>> certified, CertificateNumber certificate, long skipped) {
    static <E> SetValue<E> of(WatchedPair<Set<E>> pair) {
        return new SetValue<>(pair.local(), Optional.ofNullable(pair.certified()), pair.certificate(), pair.skipped());
    }

    /** The live elements that are not certified yet; all of them before the first certificate. */
    public Set<E> uncertifiedAdditions() {
        return without(local, certified.orElse(Set.of()));
    }

    /** The certified elements that are not live any more. */
    public Set<E> uncertifiedRemovals() {
        return without(certified.orElse(Set.of()), local);
    }

    private static <E> Set<E> without(Set<E> some, Set<E> others) {
        Set<E> left = new LinkedHashSet<>(some);
        left.removeAll(others);
        return left;
    }
}
