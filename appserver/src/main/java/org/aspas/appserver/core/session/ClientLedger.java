package org.aspas.appserver.core.session;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.objects.Counted;
import org.aspas.appserver.core.objects.Numbers;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;

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

    final Numbers numbers = new Numbers();
    final ArrayDeque<Counted> certified = new ArrayDeque<>();
    private final Map<Long, Own> own = new HashMap<>();
    private final BoundedMap<Long, Signed<Response>> answers = new BoundedMap<>(KEPT_ANSWERS);
    long answersGiven;
    long session;
    /** τ as the client told it with its newest session: from 1, or 0 for no bound. */
    long tolerance;

    private long certifiedOwn;

    Optional<Own> own(long number) {
        return Optional.ofNullable(own.get(number));
    }

    void own(long number, Own entry) {
        own.putIfAbsent(number, entry);
    }

    Optional<Signed<Response>> answer(long number) {
        return Optional.ofNullable(answers.get(number));
    }

    void answer(long number, Signed<Response> response) {
        answers.put(number, response);
    }

    /** How many updates this server has entered for the client that no certificate covers yet. */
    long uncertified() {
        return own.size() - certifiedOwn;
    }

    void certified(Counted one) {
        certifiedOwn++;
        certified.addLast(one);
        if (certified.size() > KEPT_CERTIFIED) {
            certified.removeFirst();
        }
    }
}
