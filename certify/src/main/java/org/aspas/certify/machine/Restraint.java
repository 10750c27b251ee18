package org.aspas.certify.machine;

/**
 * What a failed round leaves on an origin whose log found no quorum. The origin is left out of goals until a step of time,
 * and then asked for half of what failed, so that the goal does not run away from a slow correct server, and the part of a
 * forked log that all still share is found by bisection. Each failure in a row doubles the pause, so that a forked origin
 * costs the others little. A decided round that reached the cap lifts the restraint.
 *
 * @param cap how far the origin is asked for; {@link #NO_CAP} when it is not restrained
 * @param until from which step on it is asked for at all
 * @param failures how many times in a row it failed, bounded
 */
record Restraint(long cap, long until, int failures) {
    static final long NO_CAP = Long.MAX_VALUE;
    static final int MOST_FAILURES = 8;
    static final Restraint NONE = new Restraint(NO_CAP, 0, 0);

    /** The origin's component of the next goal, which is never below what is certified. */
    long limit(long stable, long certified, long now) {
        return now < until ? certified : Math.max(certified, Math.min(stable, cap));
    }

    /** Whether a coming step of time changes what the origin is asked for. */
    boolean awaitsTime(long now) {
        return now < until;
    }

    /** The restraint after a failure of this goal, which is beyond what is certified. */
    Restraint failed(long goal, long certified, long now, int roundTicks) {
        int more = Math.min(failures + 1, MOST_FAILURES);
        long half = certified + Math.max(1, (goal - certified) / 2);
        return new Restraint(half, now + ((long) roundTicks << (more - 1)), more);
    }

    /** The restraint after a decision at this goal. */
    Restraint decided(long goal) {
        return goal >= cap ? NONE : this;
    }

    void write(SnapshotWriter writer) {
        writer.number(cap);
        writer.number(until);
        writer.number(failures);
    }

    static Restraint read(SnapshotReader reader) {
        return new Restraint(reader.number(0), reader.number(0), reader.count(0, MOST_FAILURES));
    }
}
