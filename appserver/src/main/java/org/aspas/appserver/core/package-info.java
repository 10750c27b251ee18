/**
 * The appserver as a pure state machine (paper §3.4, §3.5; the protocol page, docs/protocol.md §3-§6 and §9).
 *
 * <p>{@link org.aspas.appserver.core.AppServerCore} takes one {@link org.aspas.appserver.core.Event} at a time and gives
 * the {@link org.aspas.appserver.core.Effect}s that the shell carries out in order. It has no thread, clock, socket or
 * file of its own; the same events always give the same effects, because Ed25519 signatures are deterministic.
 *
 * <p>Durability: an effect that claims something durable is held back until the shell reports the record of that claim
 * as {@link org.aspas.appserver.core.Event.Persisted}. Tickets rise by one, and a ticket stands for all before it. After
 * a crash the shell gives the records, in order, to {@link org.aspas.appserver.core.AppServerCore#recover}.
 */
@NullMarked
package org.aspas.appserver.core;

import org.jspecify.annotations.NullMarked;
