package org.aspas.appserver.core.step;

import java.util.Locale;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.certify.wire.Refusal;

/** A part of one core, with what it shares with the others at hand. For one thread. */
public abstract class CorePart {
    protected final CoreSettings settings;

    protected final ServerCondition condition;

    protected final DurableOutbox outbox;

    protected final Counters counters;

    protected final CoreTime time;

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
