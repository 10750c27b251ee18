package org.aspas.appserver.core.session;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.object.IntervalSet;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;

/** What this server knows of one client. For one thread. */
final class ClientLedger {
    private static final int KEPT_ANSWERS = 64;
    private static final int KEPT_CERTIFIED = 256;

    /**
     * An own entry of the client.
     *
     * @param sequence its sequence number in the own log
     * @param identity the hash of what the client signed
     */
    record Own(long sequence, Hash identity) {}

    final IntervalSet intervals = new IntervalSet();
    /** The places that a certificate covers. */
    private final OwnPlaces certified = new OwnPlaces(KEPT_CERTIFIED);
    /** In the order of the log. */
    private final Map<Long, Own> own = new LinkedHashMap<>();

    private final BoundedMap<Long, Signed<Response>> answers = new BoundedMap<>(KEPT_ANSWERS);
    long answersGiven;
    long session;
    /** τ as the client told it with its newest session: from 1, or 0 for unbounded. */
    long tolerance;

    private long entered;
    private long highestOwn;
    private long certifiedOwn;

    Optional<Own> own(long number) {
        return Optional.ofNullable(own.get(number));
    }

    void own(long number, Own entry) {
        entered++;
        if (number <= highestOwn) {
            // It is entered again: what certifies the place before is not told any more.
            own.remove(number);
            answers.remove(number);
            certified.remove(number);
        }
        highestOwn = Math.max(highestOwn, number);
        own.put(number, entry);
    }

    void forget(long upTo) {
        Iterator<Own> eldest = own.values().iterator();
        while (eldest.hasNext() && eldest.next().sequence() <= upTo) {
            eldest.remove();
        }
    }

    Optional<Signed<Response>> answer(long number) {
        return Optional.ofNullable(answers.get(number));
    }

    void answer(long number, Signed<Response> response) {
        answers.put(number, response);
    }

    /** How many updates this server has entered for the client that no certificate covers yet. */
    long uncertified() {
        return entered - certifiedOwn;
    }

    /** A certificate covers the place of a number in the own log. */
    void certified(long number, long sequence) {
        certifiedOwn++;
        certified.add(new OwnPlaces.Place(number, sequence));
    }

    /** The newest places of which {@link #certified(long, long)} told, but for those of numbers that were entered again. */
    List<OwnPlaces.Place> certified() {
        return certified.all();
    }
}
