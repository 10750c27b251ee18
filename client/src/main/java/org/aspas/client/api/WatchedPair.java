package org.aspas.client.api;

import java.util.Objects;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;

/**
 * The live and the certified value of an object at about the same time.
 *
 * @param certified the newest certified value; null before the first certificate
 * @param certificate the number of its certificate; none before the first
 * @param skipped how many changes were skipped since the subscription began because the subscriber was too slow
 */
record WatchedPair<T>(T local, @Nullable T certified, CertificateNumber certificate, long skipped) {
    boolean sameValues(@Nullable WatchedPair<T> other) {
        return other != null && local.equals(other.local) && Objects.equals(certified, other.certified);
    }
}
