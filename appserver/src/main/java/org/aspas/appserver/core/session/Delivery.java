package org.aspas.appserver.core.session;

import java.util.List;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.LogsCut;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.objects.CertifiedState;
import org.aspas.appserver.core.objects.DeliveredUpdate;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.certify.message.ClientEquivocation;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;

/**
 * Brings what the logs have delivered into the clients' ledgers and the live views, and takes it out again when it is revoked.
 * Two contents under one number, which show when the second is delivered, are evidence against the client. For one thread.
 */
public final class Delivery {
    private final Logs logs;
    private final ObjectStore objects;
    private final ClientLedgers ledgers;
    private final EvidencePool evidence;

    /** A delivery from logs into these. */
    public Delivery(Logs logs, ObjectStore objects, ClientLedgers ledgers, EvidencePool evidence) {
        this.logs = logs;
        this.objects = objects;
        this.ledgers = ledgers;
        this.evidence = evidence;
    }

    /** Delivers what the logs have delivered since the last call. */
    public void deliver() {
        logs.takeDelivered().forEach(this::deliver);
    }

    private void deliver(Entry entry) {
        ledgers.delivered(entry);
        if (entry.body().message() instanceof Request request) {
            DeliveredUpdate update = DeliveredUpdate.of(entry, request);
            objects.requests().rival(update).ifPresent(rival -> numberReused(rival.entry(), entry.body()));
            objects.deliver(update);
        }
    }

    /** A client signed another request under the number of one that was entered. */
    void numberReused(Entry entered, Signed<ClientSigned> other) {
        evidence.take(new ClientEquivocation(request(entered.body()), request(other)));
    }

    private static Signed<Request> request(Signed<ClientSigned> signed) {
        return signed.as(Request.class).orElseThrow(() -> new IllegalStateException("no request: " + signed.message()));
    }

    /** Takes back what was delivered of the ends of logs, and delivers what waited for that only. */
    public void takeBack(LogsCut cut) {
        for (LogsCut.End end : cut.ends()) {
            objects.revoke(end.origin(), end.kept());
        }
        List<Entry> revoked = cut.revoked();
        ledgers.revoked(revoked, objects.requests());
        deliver();
    }

    /**
     * A snapshot was installed.
     *
     * @param state the certified state
     * @param revoked what had been delivered of logs that are other ones now
     */
    public void installed(CertifiedState state, List<Entry> revoked) {
        objects.revoke(revoked);
        ledgers.revoked(revoked, objects.requests());
        ledgers.installed(state);
        deliver();
    }
}
