package org.aspas.certify.wire;

/**
 * One replica's vote that ordered time should step to k; b+1 votes make it pass (the protocol page, §5.2).
 *
 * @param k the step after the current one
 */
public record Tick(int replica, long k) implements Message {
    static final Schema<Tick> SCHEMA = items -> new Tick(items.index(Tick::replica), items.natural(Tick::k));
}
