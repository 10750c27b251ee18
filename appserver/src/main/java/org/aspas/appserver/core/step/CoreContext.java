package org.aspas.appserver.core.step;

import org.aspas.appserver.core.port.CoreSettings;

/**
 * What all parts of one core share.
 *
 * @param settings what the core knows of its deployment
 * @param condition whether the server can serve
 * @param outbox collects the effects
 * @param counters counts what happens
 * @param time the time of the last tick
 */
public record CoreContext(
        CoreSettings settings, ServerCondition condition, DurableOutbox outbox, Counters counters, CoreTime time) {
    /** The context of a core that begins. */
    public static CoreContext of(CoreSettings settings) {
        Counters counters = new Counters();
        return new CoreContext(settings, new ServerCondition(), new DurableOutbox(counters), counters, new CoreTime());
    }
}
