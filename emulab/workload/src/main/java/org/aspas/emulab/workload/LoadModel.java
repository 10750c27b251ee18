package org.aspas.emulab.workload;

import java.util.Locale;

/** When operations begin. */
public sealed interface LoadModel {
    /** Each client has one operation open: what runs unless something else is asked for. */
    LoadModel ONE_EACH = new Closed(1);

    /** The model for people and JSON. */
    String label();

    /**
     * Closed loop: each client has a number of operations open and begins the next one when one of them ends. How fast the
     * system answers decides how much is asked of it.
     *
     * @param openEach how many operations of each client are open, from 1
     * @param paceMillis how many milliseconds after an operation the next one in its place begins at the earliest, counted from beginning to
     *     beginning; zero for as soon as it ends
     */
    record Closed(int openEach, int paceMillis) implements LoadModel {
        public Closed {
            if (openEach < 1 || paceMillis < 0) {
                throw new IllegalArgumentException(
                        "openEach = " + openEach + " or paceMillis = " + paceMillis + " is too small");
            }
        }

        /** Each operation begins as soon as there is a place for it. */
        public Closed(int openEach) {
            this(openEach, 0);
        }

        @Override
        public String label() {
            return "closed loop, " + openEach + " open per client"
                    + (paceMillis == 0 ? "" : ", begun " + paceMillis + " ms apart at least");
        }
    }

    /**
     * Open loop: operations begin at moments that a clock decides, whether earlier ones have ended or not. Latency counts
     * from the intended moment, so that a system that stalls cannot hide it.
     *
     * @param perSecond how many operations begin in a second, over all clients, above 0
     */
    record Open(double perSecond, Arrivals arrivals) implements LoadModel {
        public Open {
            if (!(perSecond > 0)) {
                throw new IllegalArgumentException("perSecond = " + perSecond + " is not positive");
            }
        }

        @Override
        public String label() {
            return String.format(Locale.ROOT, "open loop, %,.0f operations/s, %s", perSecond, arrivals.label());
        }
    }

    /**
     * An open loop at a share of what the system does in a closed loop, which is to be measured first.
     *
     * @param part of it, above 0, 1 for all
     */
    record Share(double part, Arrivals arrivals) implements LoadModel {
        public Share {
            if (!(part > 0)) {
                throw new IllegalArgumentException("part = " + part + " is not positive");
            }
        }

        /** The open loop of a system that does so many operations a second. */
        public Open of(double perSecond) {
            return new Open(perSecond * part, arrivals);
        }

        @Override
        public String label() {
            return String.format(Locale.ROOT, "open loop, %.0f %% of saturation, %s", 100 * part, arrivals.label());
        }
    }
}
