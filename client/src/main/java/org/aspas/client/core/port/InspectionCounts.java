package org.aspas.client.core.port;

/**
 * What became of the answers that chance picked for inspection. Those that a client doubts for another reason are not among
 * them.
 *
 * @param picked answers that chance picked, after they had come
 * @param matched of these, those of which f+1 other servers said that they recompute the same
 * @param differed those of which f+1 said that they recompute another value
 * @param unknown those of which not so many said either, within the grace time
 * @param dropped those that were not asked about, for too many were open
 * @param overBudget those that were not asked about, for the budget was used up
 */
public record InspectionCounts(long picked, long matched, long differed, long unknown, long dropped, long overBudget) {
    public static final InspectionCounts NONE = new InspectionCounts(0, 0, 0, 0, 0, 0);

    /** Those of which f+1 servers said whether they are right. */
    public long judged() {
        return matched + differed;
    }

    /** Those that are not decided yet. */
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
