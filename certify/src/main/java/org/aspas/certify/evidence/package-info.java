/**
 * What evidence proves (the protocol page, docs/protocol.md §4, §8). {@link org.aspas.certify.evidence.EvidenceJudge} takes
 * any {@link org.aspas.certify.wire.Evidence}, which can come from a stranger, and says from signatures alone whether
 * its accused is guilty, whether it is false, or whether somebody must recompute first. It is pure and total: it never
 * throws for what a message holds, and a correct server or client is never found guilty, whatever others sign.
 *
 * <p>What names an incarnation of an appserver that is not open here is never proof: the judge cannot confirm it, whoever
 * signed it.
 *
 * <p>What each rule rests on: a correct appserver signs one log, with well-formed entries whose dependencies never fall,
 * answers with leaves of that log, and names certificates that it verified, in rising order; a correct client signs one
 * content under a number.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.evidence;
