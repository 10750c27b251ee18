/**
 * The protocol's messages, named as in the paper, as immutable records under the sealed interface {@link
 * org.aspas.certify.message.Message}. They hold meaning only; their bytes are the business of {@code certify.codec}, and
 * signed ones travel as {@link org.aspas.certify.message.Signed}, which keeps the exact bytes that were signed.
 *
 * <p>Client to appserver: OpenSession, Request, Read, GetCertificate. Appserver to client: Hello, Response (in Answer),
 * Refusal, Confirmation, CertificateReply. Between appservers: Batch, Frontier, Pull. Appserver to bftservers: VertObft,
 * Stable, Verdict. Bftserver to appservers: BftReqStable, Share. Ordered by bftservers among themselves: Tick,
 * Accept, Commit, Recover (with a ProvenContent).
 *
 * <p>Client to any appserver, without a session: AskStanding, Inspect, Complain; the answers are Standing, InspectReply and
 * Blacklist. What can be proved against somebody is an {@link org.aspas.certify.message.Evidence}; appservers hand it to
 * each other as it stands, and their Blacklists with it.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.message;
