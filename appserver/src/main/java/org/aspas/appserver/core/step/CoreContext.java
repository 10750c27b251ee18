package org.aspas.appserver.core.step;

import org.aspas.appserver.core.port.CoreSettings;

/** What all parts of one core share. */
public record CoreContext(
        CoreSettings settings, ServerCondition condition, DurableOutbox outbox, Counters counters, CoreTime time) {
    public static CoreContext of(CoreSettings settings) {
        Counters counters = new Counters();
        return new CoreContext(settings, new ServerCondition(), new DurableOutbox(counters), counters, new CoreTime());
    }
}
