package org.aspas.certify.step;

/**
 * The place of a record among all that one core asks its shell to make durable in one run. A durable ticket stands for all
 * tickets before it.
 *
 * @param value rises by one from 1 in each run; 0 stands for no record
 */
public record Ticket(long value) {
    /** No record: with this ticket nothing is durable. */
    public static final Ticket NONE = new Ticket(0);

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
