/**
 * The client as a pure state machine: events in, effects out. {@link org.aspas.client.core.ClientCore} knows no clock, no thread, no
 * socket and no source of randomness, so the same code runs behind the library and in a simulation.
 *
 * <p>{@code ClientCore} wires the parts below and passes each event to the parts that it concerns.
 *
 * <p>The client guarantees (docs/protocol.md §3 and §6):
 *
 * <ol>
 * <li>No more than τ of its own updates are unconfirmed at once.
 * <li>The client checks every answer against the server's key and its own signed request, and every certificate against the
 * descriptor.
 * <li>Only the inclusion proof of its own leaf under a verified certificate confirms an update.
 * <li>A certified read is checked against the certificate's state root.
 * <li>A check that fails is a value: {@link org.aspas.client.core.Notice.VerificationFailed}, and a {@link
 * org.aspas.client.core.Failure.NotVerified} for the update or read concerned.
 * </ol>
 *
 * <p>Nothing here is thread-safe: one thread at a time calls {@code step}.
 *
 * <h2>Events and effects</h2>
 *
 * The shell gives the core its settings once. After that it passes an {@link org.aspas.client.core.Event} in and receives a list of {@link
 * org.aspas.client.core.Effect}s.
 *
 * <p>The shell carries out the effects in their order. Effects that depend on a record follow only after the shell has reported {@link
 * org.aspas.client.core.Event.Persisted} for its {@link org.aspas.client.core.Effect.Persist}. A {@link org.aspas.client.core.CallId}
 * is the shell's name for one call of the application; the core returns it with the outcome.
 *
 * <p>An update ends in one of two ways (docs/protocol.md §6 and §9): with {@link org.aspas.client.core.Effect.Failed} as long as it is
 * not signed, and after {@link org.aspas.client.core.Effect.Entered} only with {@link org.aspas.client.core.Effect.Confirmed}. In
 * between it may be in doubt ({@link org.aspas.client.core.Effect.MayTakeEffect}), which does not end it: its number and its bytes stay
 * the same.
 *
 * <p>Applications see some of these types too: {@link org.aspas.client.core.ClientEvent}s, {@link org.aspas.client.core.Notice}s,
 * {@link org.aspas.client.core.ReadProof}s, and the {@link org.aspas.client.core.Policy} by which a client guards itself.
 *
 * <h2>The step under way</h2>
 *
 * Every part of the client uses these in a step: {@link org.aspas.client.core.Step} has the time and collects the effects, {@link
 * org.aspas.client.core.Servers} knows the current server and the findings against each server, {@link
 * org.aspas.client.core.Identity} signs the client's messages and names its questions. {@link org.aspas.client.core.SwitchBudget} bounds
 * the cost of switches that are based on doubt.
 *
 * <p>The client's record is what a run leaves for the next ({@link org.aspas.client.core.ClientState}). A part that changes it tells the
 * step before it adds effects that depend on the change, and the step holds these back until the record is durable.
 *
 * <p>A part that finds a reason to leave the server only notes it in the step. {@code ClientCore} acts on it at the end, when all parts
 * have seen the event.
 *
 * <h2>Checks</h2>
 *
 * The client checks the messages of servers (docs/protocol.md §3.4 and §6). {@link org.aspas.client.core.ResponseCheck} judges signed
 * answers, {@link org.aspas.client.core.InclusionCheck} confirmations, {@link org.aspas.client.core.ReadCheck} certified values, {@link
 * org.aspas.client.core.ReadProofCheck} values with proofs from files, and {@link org.aspas.client.core.VerifiedCertificates}
 * certificates, of which it keeps the newest.
 *
 * <p>A check returns the fault as a value, or nothing, and decides nothing else. Two findings are evidence that others can judge, so
 * they go to {@link org.aspas.client.core.Complaints}: a certificate number that went back, and an invalid certificate that an answer
 * names.
 *
 * <h2>Guarding against the server</h2>
 *
 * The client guards itself against a faulty server (paper §3.6; docs/protocol.md §6-§8), as its {@link org.aspas.client.core.Policy}
 * says. Blaming a server needs proof, whereas leaving it needs none; the cost of leaving on mere doubt is bounded.
 *
 * <ul>
 * <li>{@link org.aspas.client.core.Inspections} shows random answers to the other servers, which recompute them.
 * <li>{@link org.aspas.client.core.Complaints} brings evidence to the other servers and counts their verdicts.
 * <li>{@link org.aspas.client.core.NewestCertificateQuery} asks them for the newest certificate before the first read.
 * <li>{@link org.aspas.client.core.ResponseTimeout} detects that the server does not respond or is slow, while others do better.
 * <li>{@link org.aspas.client.core.SwitchPolicy} decides when the client leaves its server, or has to believe it.
 * <li>{@link org.aspas.client.core.PeerQueries} carries the questions of all of these to the other servers.
 * </ul>
 *
 * <p>The client believes f+1 servers that agree, because at least one of them is correct. Silence decides nothing.
 *
 * <h2>Reads and questions</h2>
 *
 * Questions change nothing (docs/protocol.md §6 and §9). They are {@link org.aspas.client.core.Reads} of objects, {@link
 * org.aspas.client.core.CertificateQueries}, and the {@code Rollback} that, after a switch, reads the objects that unconfirmed updates
 * touch.
 *
 * <p>Each question has a deadline, and is repeated on every new connection. A local read has the server's signature. A certified
 * read has a proof against a certificate that is no older than the newest one that the client knows.
 *
 * <h2>Updates and τ</h2>
 *
 * These parts handle updates and τ (paper §3.6; docs/protocol.md §6 and §9). {@link org.aspas.client.core.Updates} takes a call, signs
 * it under the next number, and sends it until it is confirmed. {@link org.aspas.client.core.UpdateAnswers} handles servers' answers and
 * proofs, {@link org.aspas.client.core.RefusedUpdates} their refusals, and {@link org.aspas.client.core.EffectCheck} finds confirmed
 * updates that have no effect.
 *
 * <p>{@link org.aspas.client.core.Window} keeps the invariants: numbers are contiguous, the request under a number never changes, at most
 * τ updates that were ever sent are unconfirmed, and every server receives requests in the order of their numbers.
 *
 * <p>{@link org.aspas.client.core.SendGate} holds back requests that would overload a slow server, and {@code HeldQuery} asks a newly
 * chosen server which updates it already holds.
 *
 * <p>{@link org.aspas.client.core.UnconfirmedTimeout} asks the other servers about an update that stays unconfirmed. This exposes a server
 * that withholds a certificate or never spread the update.
 *
 * <h2>The session</h2>
 *
 * These parts handle the session with the current server (docs/protocol.md §3), and what the other servers report about it.
 *
 * <p>{@link org.aspas.client.core.ServerSession} tracks the state of the session: greeted, opened, caught up. {@link
 * org.aspas.client.core.SessionFrames} passes the server's messages to the parts that they concern. {@link
 * org.aspas.client.core.PendingCalls} holds the open calls of the application. {@link org.aspas.client.core.ServerMonitor} asks the
 * other servers and takes their signed replies.
 *
 * <p>After a switch the client sends nothing to the new server until that server holds the newest certificate that the client knows. Then
 * it submits the unconfirmed updates again: the same bytes in the same order.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.client.core;
