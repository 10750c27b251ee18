package org.aspas.client.core;

/**
 * How late the present server's answers to updates are, in milliseconds of the core's time.
 *
 * @param prompt whether several answers in a row were prompt
 * @param since since when they have been late; negative when they are not
 */
public record Lateness(boolean prompt, long since, long lastAt, long lastMillis) {
    /** Of a server that has answered nothing. */
    public static final Lateness UNKNOWN = new Lateness(false, -1, 0, 0);

    public Lateness late(long now, long millis) {
        return new Lateness(false, since < 0 ? now : since, now, millis);
    }

    /** Several answers in a row were prompt. */
    public Lateness over() {
        return new Lateness(true, -1, 0, 0);
    }
}
