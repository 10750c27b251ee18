package org.aspas.certify.machine;

/**
 * One member of a total order, as a bftserver sees it: what an ordering engine implements to carry ASPAS. An engine is
 * made with the {@link org.aspas.certify.machine.OrderedMachine} that it drives, and owes it this:
 *
 * <ul>
 *   <li>every member's machine is given the same commands in the same order, each whole and unchanged, by one thread at a
 *       time; a command may come several times, and commands of strangers may come too;
 *   <li>a member that missed commands gets them, or {@code restore} with the {@code snapshot} of members that did not;
 *   <li>while 2b+1 of the n = 3b+1 members run and can speak to each other, what is submitted again and again is ordered in
 *       the end, whatever the other b do. This is liveness only: a certificate stays safe without it, because each replica
 *       signs one content per number for ever (the protocol page, docs/protocol.md §2);
 *   <li>after a stop of all members the order may begin anew, with fresh machines and without any earlier command. An
 *       engine that remembers its order is as good.
 * </ul>
 */
public interface TotalOrder extends Ordering, AutoCloseable {
    /** Whether this member takes part, with its machine caught up; commands submitted before may be lost. */
    boolean isReady();

    /** Whether this member leads the order, as far as it knows: what it submits is proposed sooner than what others do. */
    boolean leads();

    /** Leaves the order. The machine is not called any more once this returns, or soon after. */
    @Override
    void close();
}
