package org.aspas.emulab.sim.world;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.lag.LagStep;

/**
 * The least time from an answer to its confirmation that the messages of certification take in a world, where nobody computes,
 * waits for a timer or for the certificate before, or is faulty. In a world where all distances between two tiers are the same, it is
 * a + 4d + 12e: a between appservers, d between an appserver and a bftserver, e between bftservers, each one way. Elsewhere it is
 * worked out message by message, because a quorum waits for its slowest member and not for the mean.
 *
 * <p>An entry is answered at its home at 0. Here the k-th of some moments is the k-th smallest.
 *
 * <ol>
 *   <li>Appserver j has the entry after a(home, j), and reports it at once. (a)
 *   <li>The report can be proposed when it is at the leader L, after d(j, L), or by way of a gateway r after d(j, r) + e(r, L) where that
 *       is less. The entry is in LV with the (2f+1)-th report. (d)
 *   <li>An order takes three messages. Replica x has the proposal after e(L, x) and writes to all. Replica y goes on with the (2b+1)-th
 *       WRITE, its own among them, once it has the proposal. It executes with the (2b+1)-th ACCEPT of the order. (3e)
 *   <li>Replica y asks when it has executed the reports. Appserver j answers at the (b+1)-th question, once it has the entry. (d)
 *   <li>The (2f+1)-th answer at the leader, as in 2, decides after another order. (d + 3e)
 *   <li>Each replica accepts when it has executed that. The order of the accepts begins with the (2b+1)-th that has. (3e)
 *   <li>Likewise the order of the commitments. (3e)
 *   <li>Each replica signs when it has executed those. The home confirms with the (2b+1)-th signature. (d)
 * </ol>
 *
 * <p>Answers, accepts and commitments count before they are ordered, so that what the protocol can reach is smaller by the orders of 5, 6
 * and 7 but for two messages among the bftservers; the bound stays that of four orders, by which lag is judged.
 *
 * <p>What is left out makes it smaller than what the protocol can reach: a replica's way to the leader with its ACCEPT and its COMMIT
 * (one e each where it is not the leader), jitter, and bandwidth. The leader is bftserver 0. Times are microseconds.
 */
public final class LagBound {
    private static final int LEADER = 0;

    private final WorldMap world;
    private final Quorums quorums;
    /** When each replica executes what the leader proposes at 0. */
    private final long[] order;

    public LagBound(WorldMap world, Quorums quorums) {
        this.world = world;
        this.quorums = quorums;
        long[] written = replicas(y ->
                Math.max(e(LEADER, y), least(quorums.bftserverQuorum(), replicas(x -> e(LEADER, x) + e(x, y)))));
        this.order = replicas(y -> least(quorums.bftserverQuorum(), replicas(x -> written[x] + e(x, y))));
    }

    /** From the answer that leaves an appserver to the confirmation that leaves it. */
    public long answerToConfirmation(int home) {
        return moments(home).certified;
    }

    /** From the update that leaves a client to the confirmation that it gets from its appserver. */
    public long sendingToConfirmation(int client, int home) {
        return answerToConfirmation(home) + 2 * world.toClient(client, home).delayMicros();
    }

    /** How much of it is in the steps that nodes measure: those of an appserver, and those between bftservers at the leader. */
    public Map<LagStep, Long> steps(int home) {
        Moments at = moments(home);
        Map<LagStep, Long> steps = new EnumMap<>(LagStep.class);
        steps.put(LagStep.BROADCAST, 0L);
        steps.put(LagStep.REPORTED, 0L);
        steps.put(LagStep.ASKED, at.asked);
        steps.put(LagStep.STABLE, 0L);
        steps.put(LagStep.CERTIFIED, at.certified - at.asked);
        steps.put(LagStep.CONFIRMED, 0L);
        steps.put(LagStep.WHOLE, at.certified);
        steps.put(LagStep.DECIDED, at.decided - at.question);
        steps.put(LagStep.ACCEPTED, at.accepted - at.decided);
        steps.put(LagStep.COMMITTED, at.committed - at.accepted);
        steps.put(LagStep.SIGNED, at.signed - at.decided);
        return steps;
    }

    /**
     * When what happens.
     *
     * @param question the leader asks
     * @param asked the home has the (b+1)-th question
     * @param decided the leader executes the answers
     * @param accepted the leader executes the accepts
     * @param committed the leader executes the commitments
     * @param signed the leader has heard the commitments
     * @param certified the home has the (2b+1)-th signature
     */
    private record Moments(
            long question, long asked, long decided, long accepted, long committed, long signed, long certified) {}

    private Moments moments(int home) {
        long[] entry = appservers(j -> a(home, j));
        long reported = least(quorums.appserverQuorum(), appservers(j -> entry[j] + toLeader(j)));
        long[] questions = replicas(y -> reported + order[y]);
        long[] asked = appservers(j ->
                Math.max(entry[j], least(quorums.oneCorrectBftserver(), replicas(y -> questions[y] + d(j, y)))));
        long answered = least(quorums.appserverQuorum(), appservers(j -> asked[j] + toLeader(j)));
        long[] decided = replicas(y -> answered + order[y]);
        long[] accepted = ordered(decided);
        long[] committed = ordered(accepted);
        long certified = least(quorums.bftserverQuorum(), replicas(y -> committed[y] + d(home, y)));
        return new Moments(
                questions[LEADER],
                asked[home],
                decided[LEADER],
                accepted[LEADER],
                committed[LEADER],
                heard(heard(decided))[LEADER],
                certified);
    }

    /** When each replica has heard what 2b+1 of them have said, each at its moment, itself among them. */
    private long[] heard(long[] said) {
        return replicas(y -> Math.max(said[y], least(quorums.bftserverQuorum(), replicas(x -> said[x] + e(x, y)))));
    }

    /** When each replica executes what 2b+1 of them have said, each at its moment. */
    private long[] ordered(long[] said) {
        long proposed = least(quorums.bftserverQuorum(), said);
        return replicas(y -> proposed + order[y]);
    }

    private long toLeader(int appserver) {
        return least(1, replicas(gateway -> d(appserver, gateway) + e(gateway, LEADER)));
    }

    private long[] appservers(IntToLongFunction moment) {
        return IntStream.range(0, quorums.appservers())
                .mapToLong(moment::applyAsLong)
                .toArray();
    }

    private long[] replicas(IntToLongFunction moment) {
        return IntStream.range(0, quorums.bftservers())
                .mapToLong(moment::applyAsLong)
                .toArray();
    }

    private static long least(int rank, long[] moments) {
        long[] sorted = moments.clone();
        Arrays.sort(sorted);
        return sorted[rank - 1];
    }

    private long a(int one, int other) {
        return world.between(NodeId.appserver(one), NodeId.appserver(other)).delayMicros();
    }

    private long d(int appserver, int bftserver) {
        return world.between(NodeId.appserver(appserver), NodeId.bftserver(bftserver))
                .delayMicros();
    }

    private long e(int one, int other) {
        return world.between(NodeId.bftserver(one), NodeId.bftserver(other)).delayMicros();
    }
}
