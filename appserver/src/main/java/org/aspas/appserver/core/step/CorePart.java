package org.aspas.appserver.core.step;

import java.util.Locale;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.certify.message.Refusal;

/** A part of one core, with what it shares with the others at hand. For one thread. */
public abstract class CorePart {
    /** What the core knows of its deployment. */
    protected final CoreSettings settings;

    /** Whether the server can serve. */
    protected final ServerCondition condition;

    /** Collects the effects. */
    protected final DurableOutbox outbox;

    /** Counts what happens. */
    protected final Counters counters;

    /** The time of the last tick. */
    protected final CoreTime time;

    /** A part of the core that has this context. */
    protected CorePart(CoreContext context) {
        this.settings = context.settings();
        this.condition = context.condition();
        this.outbox = context.outbox();
        this.counters = context.counters();
        this.time = context.time();
    }

    /** Sends a client a refusal, and counts it by its reason. */
    protected final void refuse(ConnectionId connection, Refusal refusal) {
        counters.count("refused_" + refusal.reason().name().toLowerCase(Locale.ROOT));
        outbox.client(connection, refusal);
    }
}
