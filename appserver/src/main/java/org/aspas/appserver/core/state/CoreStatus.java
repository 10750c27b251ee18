package org.aspas.appserver.core.state;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Evidence;
import org.aspas.crdt.clock.VersionVector;

/**
 * A picture of an appserver for readiness, status and metrics. Immutable; may be handed to any thread.
 *
 * @param version what is delivered, of every origin
 * @param certificate the number of the newest adopted certificate
 * @param certified the version of that certificate; zeros before the first
 * @param gauges present sizes by name, such as {@code draining} (1 when the server is about to end),
 *     {@code objects}, {@code clients}, {@code pending_entries} and
 *     {@code pending_bytes} (accepted, and waiting for what they depend on); among them
 *     {@code sessions} (clients that have one here, {@code sessions_tau_1} with τ = 1 and {@code sessions_tau_bounded} with
 *     another bound, the rest with none), {@code unconfirmed_p50}, {@code unconfirmed_p99} and {@code unconfirmed_most} (over
 *     those clients: the updates that this server entered for one and no certificate covers; {@link TauBucket} has both by τ),
 *     {@code uncertified_entries} (delivered beyond {@code certified}), {@code uncertified_own_entries} of this server's
 *     log, {@code oldest_uncertified_own_millis} (the age of the first of them, 0 without),
 *     {@code certificate_overdue_millis} (for how long something has waited without any certificate, 0 while nothing waits),
 *     {@code tags_right}, {@code tags_wrong} and {@code tags_unknown} (how many requests of other logs came since the start with a
 *     right tag, with a wrong one, and with one for which no secret is known)
 *     and, from the first certificate on, {@code certificate_age_millis} since the newest was adopted; a running server's shell adds
 *     what {@link org.aspas.certify.lag.StepDurations#measure} says of its own entries
 * @param counters events since the start by name, such as {@code refused_bad_signature}
 * @param caughtUp whether everything that peers told of is delivered and every certificate that they told of is adopted
 * @param why why it came into that state, in words for people
 * @param blacklist the excluded appservers in order, then the refused clients
 */
public record CoreStatus(
        VersionVector version,
        CertificateNumber certificate,
        VersionVector certified,
        SortedMap<String, Long> gauges,
        SortedMap<String, Long> counters,
        boolean caughtUp,
        ServerState state,
        String why,
        List<Excluded> blacklist) {
    /**
     * Who is out.
     *
     * @param accused an appserver, or a client that is refused for good
     * @param cut the last sequence number of the appserver that stays valid; 0 for a client
     * @param since the number of the first certificate that excludes the appserver; none for a client
     * @param proof the evidence, if it is here
     */
    public record Excluded(
            Accused accused, long cut, CertificateNumber since, Hash evidence, Optional<Evidence> proof) {}

    /** Whether the server can vouch for its state: not from an alarm about its own state until repair. */
    public boolean ready() {
        return state == ServerState.SERVING;
    }

    public CoreStatus with(SortedMap<String, Long> more) {
        SortedMap<String, Long> all = new TreeMap<>(gauges);
        all.putAll(more);
        return new CoreStatus(version, certificate, certified, all, counters, caughtUp, state, why, blacklist);
    }

    public CoreStatus {
        gauges = Collections.unmodifiableSortedMap(new TreeMap<>(gauges));
        blacklist = List.copyOf(blacklist);
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
    }
}
