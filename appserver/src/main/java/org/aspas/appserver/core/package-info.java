/**
 * The appserver as a pure state machine (paper §3.4, §3.5; the protocol page, docs/protocol.md §3-§6 and §9).
 *
 * <p>{@link org.aspas.appserver.core.AppServerCore} takes one {@link org.aspas.appserver.core.port.Event} at a time and gives
 * the {@link org.aspas.appserver.core.port.Effect}s that the shell carries out in order. It has no thread, clock, socket or
 * file of its own. The same events always give the same effects, because Ed25519 signatures are deterministic.
 *
 * <p>Package {@code port} is what goes in and comes out. Package {@code step} is what all parts share.
 *
 * <p>Data flows one way through the core:
 *
 * <ol>
 *   <li>Admit. {@link org.aspas.appserver.core.port.ClientAdmission} says what a client may send; links are authenticated.
 *   <li>Append. What a client signed goes into the own log, a peer's batch into its origin's log (package {@code broadcast}).
 *   <li>Deliver. What the logs deliver goes into the clients' ledgers and the live views (packages {@code session}, {@code
 *       objects}).
 *   <li>Certify. {@link org.aspas.appserver.core.Adoption} adopts certificates in order (package {@code certification}).
 *   <li>Tell. Clients, peers and bftservers are told; what proves somebody faulty goes to package {@code complaint}.
 * </ol>
 *
 * No part calls back into one whose step is under way. A part returns what it found out, and the core hands that on.
 *
 * <p>Whether the server can serve is one {@link org.aspas.appserver.core.port.ServerState}, which one method changes, with a reason.
 *
 * <p>Durability: an effect that claims something durable is held back until the shell reports the record of that claim
 * as {@link org.aspas.appserver.core.port.Event.Persisted}. Tickets rise by one, and a ticket stands for all before it. After
 * a crash the shell gives the records, in order, to {@link org.aspas.appserver.core.AppServerCore#recover}.
 */
@NullMarked
package org.aspas.appserver.core;

import org.jspecify.annotations.NullMarked;
