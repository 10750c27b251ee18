package org.aspas.appserver.core.session;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.objects.Numbers;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Counted;
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
    /** In the order of the log. */
    private final Map<Long, Own> own = new LinkedHashMap<>();

    private final BoundedMap<Long, Signed<Response>> answers = new BoundedMap<>(KEPT_ANSWERS);
    long answersGiven;
    long session;
    /** τ as the client told it with its newest session: from 1, or 0 for no bound. */
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
            certified.removeIf(one -> one.number() == number);
        }
        highestOwn = Math.max(highestOwn, number);
        own.put(number, entry);
    }

    /** Forgets the own entries up to a place. */
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

    void certified(Counted one) {
        certifiedOwn++;
        certified.addLast(one);
        if (certified.size() > KEPT_CERTIFIED) {
            certified.removeFirst();
        }
    }
}
