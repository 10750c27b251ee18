/**
 * Logical time: dots, which name one operation each, and version vectors, which name causally closed
 * sets of operations.
 *
 * <p>Origins are numbered from zero; an origin numbers its operations 1, 2, 3 and so on without gaps.
 * A version vector says, for each origin, how many of its operations are included. Every type here is
 * an immutable value and therefore safe for use by several threads.
 *
 * <p>Invalid arguments (a negative origin, vectors of different sizes) are programming errors and raise
 * {@link IllegalArgumentException}. Data from others must be checked before it becomes one of these values.
 */
@NullMarked
package org.aspas.crdt.clock;

import org.jspecify.annotations.NullMarked;
