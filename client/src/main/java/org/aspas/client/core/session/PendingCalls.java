package org.aspas.client.core.session;

import java.util.List;
import org.aspas.certify.wire.Request;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.Event;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.read.CertificateQueries;
import org.aspas.client.core.read.Reads;
import org.aspas.client.core.read.Rollback;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;
import org.aspas.client.core.window.Updates;

/** What the application waits for: updates, reads, and questions for certificates. */
public final class PendingCalls {
    private final Updates updates;
    private final Reads reads;
    private final CertificateQueries queries;
    private final Rollback rollback;
    private final Servers servers;
    private final Step step;

    public PendingCalls(Updates updates, Reads reads, CertificateQueries queries, Servers servers, Step step) {
        this.updates = updates;
        this.reads = reads;
        this.queries = queries;
        this.rollback = new Rollback(reads, step);
        this.servers = servers;
        this.step = step;
    }

    Updates updates() {
        return updates;
    }

    Reads reads() {
        return reads;
    }

    CertificateQueries queries() {
        return queries;
    }

    public void submit(Event.Call call) {
        if (call instanceof Event.Update update) {
            updates.submit(update);
        } else if (call instanceof Event.ReadAsked read) {
            reads.submit(read);
        } else if (call instanceof Event.CertificateAsked asked) {
            queries.submit(asked);
        }
    }

    public void tick() {
        updates.tick();
        reads.tick();
        queries.tick();
    }

    /** After a switch: the new server is about to be given what is unconfirmed. */
    void resubmitted() {
        List<Request> unconfirmed = updates.unconfirmed();
        if (!unconfirmed.isEmpty()) {
            List<Long> numbers = unconfirmed.stream().map(Request::number).toList();
            step.happened(new ClientEvent.Resubmitted(numbers, servers.current()));
            rollback.begin(unconfirmed);
        }
    }

    /** The present server can be given everything that is open. */
    void connected() {
        updates.connected();
        reads.connected();
        queries.connected();
    }

    /** The connection is gone: what was sent and not answered has to be sent again. */
    public void disconnected() {
        updates.disconnected();
        reads.disconnected();
        queries.disconnected();
    }

    /** Fails what is pending, or says that it may take effect. */
    public void end(Failure why) {
        updates.end(why);
        reads.end(why);
        queries.end(why);
    }
}
