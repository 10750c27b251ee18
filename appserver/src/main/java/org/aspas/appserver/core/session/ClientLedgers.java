package org.aspas.appserver.core.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.appserver.core.object.CertifiedState;
import org.aspas.appserver.core.object.RequestNumbers;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;

/** The ledgers of all clients that this server knows. For one thread. */
public final class ClientLedgers {
    private final int index;
    private final Map<ClientId, ClientLedger> ledgers = new HashMap<>();

    public ClientLedgers(int index) {
        this.index = index;
    }

    public int size() {
        return ledgers.size();
    }

    ClientLedger of(ClientId client) {
        return ledgers.computeIfAbsent(client, any -> new ClientLedger());
    }

    /** Notes a delivered entry of any origin. */
    void delivered(Entry entry) {
        ClientSigned body = entry.body().message();
        ClientLedger ledger = of(body.client());
        if (body instanceof Request request) {
            ledger.intervals.add(request.number());
            if (entry.dot().origin() == index) {
                ledger.own(
                        request.number(),
                        new ClientLedger.Own(
                                entry.dot().sequence(), entry.body().identity()));
            }
        } else if (body instanceof OpenSession open && open.number() > ledger.session) {
            ledger.session = open.number();
            ledger.tolerance = open.tolerance();
        }
    }

    /** Forgets the own entries up to a place, all of which are certified: what carries their numbers again is entered again. */
    public void forget(long upTo) {
        ledgers.values().forEach(ledger -> ledger.forget(upTo));
    }

    /** Frees the numbers of revoked entries that no other entry carries. */
    void revoked(List<Entry> entries, RequestNumbers requests) {
        for (Entry entry : entries) {
            if (entry.body().message() instanceof Request request
                    && !requests.knows(request.client(), request.number())) {
                of(request.client()).intervals.remove(request.number());
            }
        }
    }

    /** A snapshot was installed: what it has of clients is known. */
    void installed(CertifiedState state) {
        state.clients((client, numbers, session) -> {
            ClientLedger ledger = of(client);
            ledger.intervals.addAll(numbers);
            if (session.number() > ledger.session) {
                ledger.session = session.number();
                ledger.tolerance = session.tolerance();
            }
        });
    }
}
