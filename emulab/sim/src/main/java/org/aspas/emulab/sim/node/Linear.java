package org.aspas.emulab.sim.node;

/**
 * A cost that grows with a size.
 *
 * @param nanos what it costs at size 0, in nanoseconds of one core, 0 or more
 * @param nanosPerByte what each byte adds, 0 or more
 */
public record Linear(double nanos, double nanosPerByte) {
    public static final Linear FREE = new Linear(0, 0);

    public Linear {
        if (!(nanos >= 0 && nanosPerByte >= 0 && nanos + nanosPerByte < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "a cost is " + nanos + " ns and " + nanosPerByte + " ns a byte: both take numbers from 0");
        }
    }

    /** What a size costs, in nanoseconds. */
    public long of(long bytes) {
        return Math.round(nanos + nanosPerByte * bytes);
    }
}
