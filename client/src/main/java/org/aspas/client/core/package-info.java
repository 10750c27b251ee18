/**
 * The client as a pure state machine: events in, effects out. {@link org.aspas.client.core.ClientCore} knows no clock, no
 * thread, no socket and no source of randomness, so that the same code runs behind the library and in a simulation.
 *
 * <p>What it guarantees (the protocol page, docs/protocol.md §3 and §6): no more than τ own updates are unconfirmed at
 * once, whichever are under way; every answer is checked against the server's key and the client's own signed request; every certificate is
 * checked against the descriptor; an update is confirmed only by the inclusion proof of its own leaf under a verified
 * certificate; a certified read is checked against the certificate's state root. A check that fails is a value: {@link
 * org.aspas.client.core.Notice.VerificationFailed} and a {@link org.aspas.client.core.Failure.NotVerified} for the
 * update or read concerned.
 *
 * <p>What it does about a server that is not what it should be (the protocol page, §6-§9), as {@link
 * org.aspas.client.core.Policy} says: it asks the others about an update that stays unconfirmed, inspects answers, complains
 * of what it can prove, leaves, resubmits the same bytes elsewhere, and tells the application in {@link
 * org.aspas.client.core.ClientEvent}s. Leaving is free; blame needs proof. A client that may leave ({@code
 * Policy.switching}) goes on when a check failed: the next server gets the update.
 *
 * <p>What becomes of an update (the protocol page, §6 and §9): {@link org.aspas.client.core.Effect.Failed} as long as nothing
 * of it is signed; after {@link org.aspas.client.core.Effect.Entered} it ends with {@link
 * org.aspas.client.core.Effect.Confirmed} only. In between it may be in doubt, {@link
 * org.aspas.client.core.Effect.MayTakeEffect}, which is no end: its number and its bytes stay as they are.
 *
 * <p>Nothing here is thread-safe: one thread at a time calls {@code step}.
 */
@NullMarked
package org.aspas.client.core;

import org.jspecify.annotations.NullMarked;
