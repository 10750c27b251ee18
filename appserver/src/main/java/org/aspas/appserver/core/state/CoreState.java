package org.aspas.appserver.core.state;

/** What all parts of one core share. */
public record CoreState(
        CoreSettings settings, ServerCondition condition, DurableOutbox outbox, Counters counters, CoreTime time) {
    public static CoreState of(CoreSettings settings) {
        Counters counters = new Counters();
        return new CoreState(settings, new ServerCondition(), new DurableOutbox(counters), counters, new CoreTime());
    }
}
