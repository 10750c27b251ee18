/**
 * The certification machine (paper §3.5; the protocol page, docs/protocol.md §5): the replicated state machine of the BFT cluster.
 * Pure and deterministic; {@link org.aspas.certify.machine.OrderedMachine} is all that an ordering library sees of it.
 *
 * <p>Commands are encoded frames that each hold one signed message: a VERTOBFT, a STABLE or a VERDICT of an appserver, a TICK, an
 * ACCEPT, a COMMIT or a RECOVER of a bftserver. What the machine wants done is an {@link org.aspas.certify.machine.Outcome}, which the
 * replica's shell takes in order after each command: ask the appservers, make a content durable and accept it, make the proof durable
 * and commit to it, sign a content. {@code certify.replica} is how a replica does that.
 *
 * <p>One epoch goes: reports grow LV, a question is asked, STABLEs are tallied ({@link org.aspas.certify.machine.Tally}), a content is
 * decided, 2b+1 replicas accept it, 2b+1 commit to that, it joins the chain, and the next epoch may begin. Ordered ticks end rounds
 * that bring no decision. Replicas may foresee what is decided, so their words may be ordered before the answers: {@code
 * BufferedVotes}.
 *
 * <h2>Stable versions</h2>
 *
 * Which versions can be certified (paper §3.5; the protocol page, docs/protocol.md §5). {@link
 * org.aspas.certify.machine.StableVersion} turns what the appservers report into LV, the goal that nobody can stop or push ahead;
 * {@link org.aspas.certify.machine.CausalClosure} turns LV and the logs into LV', the largest version at most LV that holds with every
 * entry all that the entry depends on. Both are pure functions.
 *
 * <h2>The order</h2>
 *
 * What ASPAS needs of a total order, as a port ({@link org.aspas.certify.replica.TotalOrder}), so that no engine is special: the
 * BFT-SMaRt engine in {@code bftcluster} implements it over sockets, and the simulator has one in virtual time. docs/adr/0007 says
 * which other engine could.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.machine;
