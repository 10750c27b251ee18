package org.aspas.appserver.core.state;

/**
 * A client's connection to one server. Ordered by number, so by age.
 *
 * @param number the shell's number for it, from 1, never used again in this process
 */
public record ConnectionId(long number) implements Comparable<ConnectionId> {
    public static final ConnectionId NONE = new ConnectionId(0);

    @Override
    public int compareTo(ConnectionId other) {
        return Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return Long.toString(number);
    }
}
