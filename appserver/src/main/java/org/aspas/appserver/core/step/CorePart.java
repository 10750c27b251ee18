package org.aspas.appserver.core.step;

import org.aspas.appserver.core.port.CoreSettings;

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
}
