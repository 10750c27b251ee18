/**
 * Reliable causal broadcast among the appservers (paper §3.4; the protocol page, docs/protocol.md §4).
 *
 * <p>Every appserver is the origin of one log. Only it appends to that log, and it signs heads over it: a size and a Merkle
 * root. Every other appserver keeps a copy. An entry names the version that its origin had delivered, and is delivered
 * elsewhere when all of that is delivered there.
 *
 * <ul>
 *   <li>{@link org.aspas.appserver.core.log.Logs} holds the logs ({@link
 *       org.aspas.appserver.core.log.OriginLog}), the cuts of excluded origins, and the order of delivery.
 *   <li>{@link org.aspas.appserver.core.log.EntryIntake} judges what others send of a log, and appends what is new. {@link
 *       org.aspas.appserver.core.state.BatchOutcome} lists the outcomes.
 *   <li>{@code LogBatches} makes what leaves of the logs. {@code OwnBatches} sends own entries to each peer. {@code
 *       EntryPuller} asks for what is missing.
 *   <li>{@code PeerTable} knows what each peer told of itself.
 *   <li>{@code ForkWatch} looks into contradictions, and {@code ForkFinder} makes the proof of them. {@code WrongBranch} is what
 *       is kept for a proof of entries that were taken back.
 *   <li>{@code LateLeaves} gives hashes of forgotten entries' leaves away, and lets wait what needs them back.
 *   <li>{@link org.aspas.appserver.core.log.Broadcaster} is the entrance to all of these.
 * </ul>
 *
 * <p>In: BATCH, CERTIFIED_ENTRIES, FRONTIER and PULL of peers, links that come and go, ticks. Out: the same messages, records
 * of what was appended, alarms, delivered entries ({@code Logs.takeDelivered}) and evidence, which the core hands on.
 *
 * <p>What always holds:
 *
 * <ol>
 *   <li>A log here is a prefix of a log that its origin signed, or leads to a certified root. Each entry keeps the {@link
 *       org.aspas.certify.evidence.EntryRules}.
 *   <li>Delivery is causal: an entry comes after all that it depends on, read with the cuts.
 *   <li>An own entry depends on no less than the own entry before it.
 *   <li>What waits for delivery, what a peer may ask for, and what is kept for proofs is bounded.
 * </ol>
 *
 * Read {@code EntryIntake.accept} first, then {@code Logs.deliverReady}.
 */
@NullMarked
package org.aspas.appserver.core.log;

import org.jspecify.annotations.NullMarked;
