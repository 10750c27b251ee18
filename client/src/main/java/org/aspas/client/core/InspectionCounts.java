package org.aspas.client.core;

/**
 * The outcomes of the answers that were picked for inspection by chance, without those that a client inspects because it doubts them.
 * Immutable.
 *
 * @param picked answers that were picked, after they had arrived
 * @param matched answers for which f+1 other servers recomputed the same value
 * @param differed answers for which f+1 other servers recomputed another value
 * @param unknown answers for which neither happened within the grace time
 * @param dropped answers that were not inspected because too many inspections were open
 * @param overBudget answers that were not inspected because the budget was used up
 */
public record InspectionCounts(long picked, long matched, long differed, long unknown, long dropped, long overBudget) {
    public static final InspectionCounts NONE = new InspectionCounts(0, 0, 0, 0, 0, 0);

    /** Returns the number of answers that f+1 servers have judged. */
    public long judged() {
        return matched + differed;
    }

    /** Returns the number of answers whose inspection has not ended. */
    public long open() {
        return picked - judged() - unknown - dropped - overBudget;
    }

    public InspectionCounts plus(InspectionCounts other) {
        return new InspectionCounts(
                picked + other.picked,
                matched + other.matched,
                differed + other.differed,
                unknown + other.unknown,
                dropped + other.dropped,
                overBudget + other.overBudget);
    }

    public InspectionCounts minus(InspectionCounts before) {
        return new InspectionCounts(
                picked - before.picked,
                matched - before.matched,
                differed - before.differed,
                unknown - before.unknown,
                dropped - before.dropped,
                overBudget - before.overBudget);
    }
}
