/**
 * The client as a pure state machine: events in, effects out. {@link org.aspas.client.core.ClientCore} knows no clock, no
 * thread, no socket and no source of randomness. So the same code runs behind the library and in a simulation.
 *
 * <p>The packages, of which each sees only those before it: {@code port} (what shell and core say to each other), {@code
 * step} (the step that is under way), {@code check} (is what a server sent right?), {@code guard} (what the client does
 * about a server that is not right), {@code read} (reads and questions), {@code window} (updates and τ), {@code session}
 * (the session with the present server). {@code ClientCore} wires them and gives each event to the one that it concerns.
 *
 * <p>What the client guarantees (the protocol page, docs/protocol.md §3 and §6):
 *
 * <ol>
 *   <li>No more than τ own updates are unconfirmed at once, whichever are under way.
 *   <li>The client checks every answer against the server's key and its own signed request, and every certificate against
 *       the descriptor.
 *   <li>Only the inclusion proof of its own leaf under a verified certificate confirms an update.
 *   <li>A certified read is checked against the certificate's state root.
 *   <li>A check that fails is a value: {@link org.aspas.client.core.port.Notice.VerificationFailed}, and a {@link
 *       org.aspas.client.core.port.Failure.NotVerified} for the update or read concerned.
 * </ol>
 *
 * <p>Nothing here is thread-safe: one thread at a time calls {@code step}.
 */
@NullMarked
package org.aspas.client.core;

import org.jspecify.annotations.NullMarked;
