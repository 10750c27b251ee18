/**
 * The client's updates and τ (paper §3.6; the protocol page, docs/protocol.md §6 and §9). {@link
 * org.aspas.client.core.window.Updates} takes a call, signs it under the next number, and sends it until it is confirmed.
 * {@link org.aspas.client.core.window.UpdateAnswers} takes what servers answer and prove, {@link
 * org.aspas.client.core.window.RefusedUpdates} what they refuse, and {@link org.aspas.client.core.window.EffectCheck} finds
 * confirmed updates that have no effect.
 *
 * <p>Invariants: numbers are contiguous for ever; what was signed under a number never changes; at most τ updates that were
 * ever sent are unconfirmed; a server gets requests in number order. {@link org.aspas.client.core.window.Window} keeps
 * them.
 *
 * <p>{@link org.aspas.client.core.window.SendGate} keeps back what a slow server has no time for, and {@link
 * org.aspas.client.core.window.HeldQuery} asks a server that the client has turned to what it holds already.
 *
 * <p>{@link org.aspas.client.core.window.UnconfirmedTimeout} asks the other servers about an update that stays unconfirmed,
 * and so finds the server that withholds a certificate or never spread the update.
 */
@NullMarked
package org.aspas.client.core.window;

import org.jspecify.annotations.NullMarked;
