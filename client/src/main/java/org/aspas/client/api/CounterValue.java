package org.aspas.client.api;

import java.util.OptionalLong;
import org.aspas.certify.wire.CertificateNumber;

/**
 * The live and the certified value of a counter, as {@link Counter#watch} publishes them.
 *
 * @param local the server's live value, which no certificate covers yet
 * @param certified the value at the certificate, verified by its proof; empty before the first certificate
 * @param certificate the certificate's number; {@link CertificateNumber#NONE} before the first
 * @param skipped how many changes were skipped since the subscription began because the subscriber was too slow
 */
public record CounterValue(long local, OptionalLong certified, CertificateNumber certificate, long skipped) {
    static CounterValue of(WatchedPair<Long> pair) {
        Long certified = pair.certified();
        return new CounterValue(
                pair.local(),
                certified == null ? OptionalLong.empty() : OptionalLong.of(certified),
                pair.certificate(),
                pair.skipped());
    }

    /** Returns the live value minus the certified one; empty before the first certificate. */
    public OptionalLong uncertified() {
        return certified.isPresent() ? OptionalLong.of(local - certified.getAsLong()) : OptionalLong.empty();
    }
}
