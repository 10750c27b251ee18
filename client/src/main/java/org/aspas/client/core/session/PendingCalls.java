package org.aspas.client.core.session;

import org.aspas.client.core.port.Event;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.read.CertificateQueries;
import org.aspas.client.core.read.Reads;
import org.aspas.client.core.step.Step;
import org.aspas.client.core.window.Updates;

/** What the application waits for: updates, reads, and questions for certificates. */
public final class PendingCalls {
    private final Updates updates;
    private final Reads reads;
    private final CertificateQueries queries;
    private final Step step;

    /**
     * The calls of each kind.
     *
     * @param updates what changes objects
     * @param reads what reads them
     * @param queries what asks for certificates
     * @param step takes what follows
     */
    public PendingCalls(Updates updates, Reads reads, CertificateQueries queries, Step step) {
        this.updates = updates;
        this.reads = reads;
        this.queries = queries;
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

    /** Takes a call of the application; whether the event is one. */
    public boolean submit(Event event) {
        if (event instanceof Event.Update update) {
            updates.submit(update);
        } else if (event instanceof Event.ReadAsked read) {
            reads.submit(read);
        } else if (event instanceof Event.CertificateAsked asked) {
            queries.submit(asked);
        } else {
            return false;
        }
        return true;
    }

    /** Fails a call that comes after the end. */
    public void refuse(Event event) {
        if (event instanceof Event.Update update) {
            step.fail(update.call(), new Failure.Closed());
        } else if (event instanceof Event.ReadAsked read) {
            step.fail(read.call(), new Failure.Closed());
        } else if (event instanceof Event.CertificateAsked asked) {
            step.fail(asked.call(), new Failure.Closed());
        }
    }

    /** Time has passed. */
    public void tick() {
        updates.tick();
        reads.tick();
        updates.checkEffects();
        queries.tick();
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
