package org.aspas.client.core;

/**
 * How a client guards itself against its server (docs/protocol.md §6, §7). Immutable.
 *
 * @param switching whether the client leaves a server that withholds, lies, refuses or cannot be reached; otherwise a failed check
 *     only fails the call concerned
 * @param graceMillis how long an answered update may stay unconfirmed before the client asks other servers, from 1; this and the other
 *     times are at most 365 days
 * @param unreachableMillis how long a server may be unusable, or leave an update unanswered, before the client leaves it,
 *     from 1
 * @param newestCertificateMillis how long certified reads of a client that remembers no certificate wait until f+1 other servers have
 *     named their newest one; 0 to skip asking them
 * @param inspection the probability that other servers are asked to recompute an answer, 0 to 1
 * @param inspectionsPerMinute the most inspections a minute, from 0
 */
public record Policy(
        boolean switching,
        long graceMillis,
        long unreachableMillis,
        long newestCertificateMillis,
        double inspection,
        int inspectionsPerMinute) {
    private static final long LONGEST_MILLIS = 365L * 24 * 60 * 60 * 1000;

    /** The default: inspects one answer in a hundred, at most sixty a minute, and leaves an unusable server after five seconds. */
    public static final Policy USUAL = new Policy(true, 5_000, 5_000, 2_000, 0.01, 60);

    /** Stays with the first server whatever happens, and asks no other. */
    public static final Policy STAY = new Policy(false, 5_000, 5_000, 0, 0, 0);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when a value is out of range; the message names it
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
     * Returns this policy with other inspections.
     *
     * @param probability the probability that an answer is inspected, 0 to 1
     * @param perMinute the most inspections a minute, from 0
     * @throws IllegalArgumentException when a value is out of range
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
