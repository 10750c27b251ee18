package org.aspas.appserver.core.state;

import java.util.Locale;
import org.aspas.certify.wire.Refusal;

/** A part of one core, with what it shares with the others at hand. For one thread. */
public abstract class CorePart {
    protected final CoreSettings settings;

    protected final ServerCondition condition;

    protected final DurableOutbox outbox;

    protected final Counters counters;

    protected final CoreTime time;

    protected CorePart(CoreState context) {
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
