/**
 * One bftserver as a pure state machine (paper §3.5; the protocol page, docs/protocol.md §2 and §5).
 *
 * <p>{@link org.aspas.certify.replica.BftServerCore} takes one {@link org.aspas.certify.replica.Event} at a time and gives the {@link
 * org.aspas.certify.replica.Effect}s that the shell carries out in order. It has no thread, lock, clock, socket or file. Time is a
 * number in {@code Tick}; the order calls {@code apply}, {@code snapshot} and {@code restore}.
 *
 * <p>Its parts:
 *
 * <ul>
 * <li>{@code Gateway} takes the appservers' signed reports, answers and verdicts into the order. {@code AppserverQueue} is what one
 * appserver may have under way; {@link org.aspas.certify.replica.CommandAdmission} is what it may say.
 * <li>{@link org.aspas.certify.machine.CertificationMachine} is the replicated state; each command gives outcomes.
 * <li>{@link org.aspas.certify.replica.CertificateSigner} accepts, commits and signs what the outcomes ask for, and what the answers
 * in hand and words that arrived allow before. After each command its shell gives {@code Advanced} before anything else.
 * <li>{@code TickPace} says when this bftserver votes for the next step of ordered time.
 * <li>{@code ReplicaOutbox} holds every promise back until the record of it is durable.
 * </ul>
 *
 * <p>Durability: an item counts in memory when it is issued, and leaves nowhere before the shell reports its ticket as {@link
 * org.aspas.certify.replica.Event.Persisted}. Tickets rise by one, and a ticket stands for all before it. When an item cannot be
 * written the bftserver promises nothing any more until it is started again; it still relays commands and votes for time. The next
 * process begins with what the record holds. Votes for time and relayed commands tell nothing of the record and never wait for it.
 *
 * <p>Two shells run it: {@code bftcluster.node} over BFT-SMaRt, links and a file, and the simulator in virtual time. Read {@code
 * certify.machine} next.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.replica;
