package org.aspas.client.core;

/**
 * The shell's name for one call of the application, never used before. The core gives it back with the outcome.
 *
 * @param value any number but that of {@link #NONE}
 */
public record CallId(long value) {
    /** Stands for an update of an earlier run, for which no call waits. */
    public static final CallId NONE = new CallId(-1);

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
