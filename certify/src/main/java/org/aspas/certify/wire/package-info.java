/**
 * The protocol's messages, named as in the paper, as immutable records under the sealed interface {@link
 * org.aspas.certify.wire.Message}, and their exact bytes: deterministic CBOR (RFC 8949 §4.2: shortest integers, definite lengths). Each
 * message is an array that opens with the number of its {@link org.aspas.certify.wire.Kind}; a signed message is an array of two byte
 * strings, payload and signature, and travels as {@link org.aspas.certify.wire.Signed}, which keeps the exact bytes that were signed.
 *
 * <p>Client to appserver: OpenSession, Request, Read, GetCertificate. Appserver to client: Hello, Response (in Answer),
 * Refusal, Confirmation, CertificateReply. Between appservers: Batch, Frontier, Pull. Appserver to bftservers: VertObft,
 * Stable, Verdict. Bftserver to appservers: BftReqStable, Share. Ordered by bftservers among themselves: Tick,
 * Accept, Commit, Recover (with a ProvenContent).
 *
 * <p>Client to any appserver, without a session: AskStanding, Inspect, Complain; the answers are Standing, InspectReply and
 * Blacklist. What can be proved against somebody is an {@link org.aspas.certify.wire.Evidence}; appservers hand it to
 * each other as it stands, and their Blacklists with it.
 *
 * <p>Decoders are total: any bytes give {@link org.aspas.certify.wire.Decoded.Accepted} or {@link
 * org.aspas.certify.wire.Decoded.Rejected} in time and memory proportional to their length. A text that decodes but would
 * be encoded otherwise is rejected, so that one meaning has one encoding. {@code docs/formats.md} is the same for a
 * reader without this code.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.wire;
