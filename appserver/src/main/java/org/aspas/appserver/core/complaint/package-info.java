/**
 * Inspection, complaints and verdicts at an appserver (the protocol page, docs/protocol.md §6-§8).
 *
 * <p>{@link org.aspas.appserver.core.complaint.ClientQueries} answers what any client may ask without a session: its standing,
 * the recomputation of another server's answer ({@link org.aspas.appserver.core.complaint.Inspector}), a verdict on evidence.
 * {@link org.aspas.appserver.core.complaint.EvidencePool} judges and keeps evidence ({@code RememberedEvidence}), and exchanges
 * verdicts with the other appservers. {@code UnansweredEvidence} sends again what others have not answered. {@code
 * OpenVerdicts} are before the BFT cluster. {@code ExcludedParties} says who is out. What clients may ask is bounded by {@link
 * org.aspas.certify.bound.TokenBucket}s, for each and for all together.
 */
@NullMarked
package org.aspas.appserver.core.complaint;

import org.jspecify.annotations.NullMarked;
