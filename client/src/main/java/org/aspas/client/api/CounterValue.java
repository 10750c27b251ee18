package org.aspas.client.api;

import java.util.OptionalLong;
import org.aspas.certify.wire.CertificateNumber;

/**
 * What a counter is, as {@link Counter#watch} sees it.
 *
 * @param local the live value of the server, which no certificate covers yet
 * @param certified the value at the certificate, proved; empty before the first certificate
 * @param certificate the certificate's number; {@link CertificateNumber#NONE} before the first
 * @param skipped how many changes the subscriber was too slow for, since it subscribed
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

    /** How far the live value is from the certified one; empty before the first certificate. */
    public OptionalLong uncertified() {
        return certified.isPresent() ? OptionalLong.of(local - certified.getAsLong()) : OptionalLong.empty();
    }
}
