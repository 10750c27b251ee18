/**
 * The objects and the clients' records: the certified base state with its state tree, the entries after it, and the live views
 * (the protocol page, docs/protocol.md §2, §9).
 *
 * <p>{@link org.aspas.appserver.core.objects.ObjectStore} holds the objects; which of them are in memory, and which in the base alone, only
 * {@code ObjectMemory} knows. What one update does is written once, in {@code
 * UpdateEffect}, and three ask there: the live view, the next certified state ({@code CandidateBuilder}) and the recomputation
 * of an answer ({@link org.aspas.appserver.core.objects.Recomputation}). {@link
 * org.aspas.appserver.core.objects.RequestNumbers} says which entry counts for a request number. Reading changes nothing
 * but what is in memory.
 */
@NullMarked
package org.aspas.appserver.core.objects;

import org.jspecify.annotations.NullMarked;
