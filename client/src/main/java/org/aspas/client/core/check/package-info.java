/**
 * Is what a server sent right? (The protocol page, docs/protocol.md §3.4 and §6.) {@link
 * org.aspas.client.core.check.ResponseCheck} judges signed answers, {@link org.aspas.client.core.check.InclusionCheck}
 * confirmations, {@link org.aspas.client.core.check.ReadCheck} certified values, {@link
 * org.aspas.client.core.check.ReadProofCheck} those that somebody kept in a file, and {@link
 * org.aspas.client.core.check.VerifiedCertificates} certificates, of which it keeps the newest.
 *
 * <p>A check gives back what is wrong, as a value, or nothing. It decides nothing else. Two findings are evidence that
 * others can judge, and go to whoever complains: a certificate number that went back, and a bad certificate that an answer
 * names.
 */
@NullMarked
package org.aspas.client.core.check;

import org.jspecify.annotations.NullMarked;
