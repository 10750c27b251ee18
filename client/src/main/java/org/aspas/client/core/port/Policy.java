package org.aspas.client.core.port;

/**
 * How a client guards itself against its server (the protocol page, docs/protocol.md §6, §7).
 *
 * @param switching whether it leaves a server that withholds, lies, refuses or cannot be reached; otherwise a failed check
 *     fails the call concerned
 * @param graceMillis how long an answered update may stay unconfirmed before the client asks other servers, from 1; this and the other
 *     times are at most 365 days
 * @param unreachableMillis how long a server may be unusable, or leave an update unanswered, before the client leaves it,
 *     from 1
 * @param newestCertificateMillis how long certified reads of a client without a remembered certificate wait for the words of
 *     f+1 other servers on the newest one; 0 for not asking them
 * @param inspection the probability that an answer is inspected, 0 to 1
 * @param inspectionsPerMinute the budget: at most this many inspections a minute, from 0
 */
public record Policy(
        boolean switching,
        long graceMillis,
        long unreachableMillis,
        long newestCertificateMillis,
        double inspection,
        int inspectionsPerMinute) {
    private static final long LONGEST_MILLIS = 365L * 24 * 60 * 60 * 1000;

    /** Inspects one answer in a hundred, at most sixty a minute; leaves after five seconds. */
    public static final Policy USUAL = new Policy(true, 5_000, 5_000, 2_000, 0.01, 60);

    /** Stays with its server whatever happens, and asks nobody else. */
    public static final Policy STAY = new Policy(false, 5_000, 5_000, 0, 0, 0);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException with the name of the value that is out of range
     */
    public Policy {
        check(graceMillis >= 1 && graceMillis <= LONGEST_MILLIS, "graceMillis must be 1 to " + LONGEST_MILLIS);
        check(
                unreachableMillis >= 1 && unreachableMillis <= LONGEST_MILLIS,
                "unreachableMillis must be 1 to " + LONGEST_MILLIS);
        check(
                newestCertificateMillis >= 0 && newestCertificateMillis <= LONGEST_MILLIS,
                "newestCertificateMillis must be 0 to " + LONGEST_MILLIS);
        check(inspection >= 0 && inspection <= 1, "inspection must be a probability, 0 to 1");
        check(inspectionsPerMinute >= 0, "inspectionsPerMinute must not be negative");
    }

    /**
     * The same with another inspection.
     *
     * @param probability that an answer is inspected, 0 to 1
     * @param perMinute how many a minute at most, from 0
     */
    public Policy withInspection(double probability, int perMinute) {
        return new Policy(switching, graceMillis, unreachableMillis, newestCertificateMillis, probability, perMinute);
    }

    private static void check(boolean right, String complaint) {
        if (!right) {
            throw new IllegalArgumentException(complaint);
        }
    }
}
