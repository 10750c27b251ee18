/**
 * Inspection, complaints and verdicts at an appserver (the protocol page, docs/protocol.md §6-§8). {@link
 * org.aspas.appserver.core.complaint.Inquiries} answers what any client may ask without a session: its standing, the
 * recomputation of another server's answer, a verdict on evidence. {@link org.aspas.appserver.core.complaint.Casebook} keeps
 * the evidence, exchanges verdicts with the other appservers, and takes what is proved to the BFT cluster. {@link
 * org.aspas.appserver.core.complaint.UnansweredEvidence} sends again what others have not answered. {@link
 * org.aspas.appserver.core.complaint.Inspector} recomputes. What clients may ask is bounded by {@link
 * org.aspas.appserver.core.complaint.TokenBucket}s, for each and for all together.
 */
@NullMarked
package org.aspas.appserver.core.complaint;

import org.jspecify.annotations.NullMarked;
