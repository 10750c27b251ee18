/**
 * What the client's core and its shell say to each other: settings once, then an {@link org.aspas.client.core.port.Event}
 * in, and a list of {@link org.aspas.client.core.port.Effect}s out.
 *
 * <p>A shell carries out the effects in their order. What rests on a record comes only after the shell has reported {@link
 * org.aspas.client.core.port.Event.Persisted} for its {@link org.aspas.client.core.port.Effect.Persist}. A {@link org.aspas.client.core.port.CallId} is the shell's name for one call of the application; the core
 * gives it back with the outcome.
 *
 * <p>What becomes of an update (the protocol page, docs/protocol.md §6 and §9): {@link
 * org.aspas.client.core.port.Effect.Failed} as long as nothing of it is signed. After {@link
 * org.aspas.client.core.port.Effect.Entered} only {@link org.aspas.client.core.port.Effect.Confirmed} ends it. In between
 * it may be in doubt, {@link org.aspas.client.core.port.Effect.MayTakeEffect}, which is no end: its number and its bytes
 * stay as they are.
 *
 * <p>Applications see some of these values too: {@link org.aspas.client.core.port.ClientEvent}s, {@link
 * org.aspas.client.core.port.Notice}s, {@link org.aspas.client.core.port.ReadProof}s, and the {@link org.aspas.client.core.port.Policy} by which a client guards itself.
 */
@NullMarked
package org.aspas.client.core.port;

import org.jspecify.annotations.NullMarked;
