/**
 * The one actor that owns the core. Everything that happens to an appserver becomes an event in its mailbox, and the
 * actor carries out the effects in the order the core gives them. It runs on a thread of its own, so that a slow client
 * or link cannot delay it, and needs no lock.
 *
 * <p>The mailbox is bounded by its senders: a session and a link stop being read while too many of their frames wait,
 * and the JSON client has a window. The mailbox itself drops nothing, because a lost {@code ClientGone} or
 * {@code Persisted} would never come again.
 *
 * <p>{@code OwnEntryLag} watches what goes in and what comes out, and measures how long certification takes from step to step.
 * {@code LongSteps} says how long the actor is busy at a stretch, {@code Backlog} how long events wait for it. {@code ObjectPrefetcher} has resting
 * objects read before the actor gets what needs them ({@code NeededObjects}).
 *
 * <p>An exception out of the core is a bug that leaves its state in doubt: the actor stops, and the server answers
 * nobody any more. It never guesses on.
 */
@NullMarked
package org.aspas.appserver.actor;

import org.jspecify.annotations.NullMarked;
