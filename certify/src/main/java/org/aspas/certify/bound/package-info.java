/**
 * Bounds that every tier needs: how long to wait before the next try ({@link org.aspas.certify.bound.Backoff}), how much to
 * remember ({@link org.aspas.certify.bound.BoundedMap}), and how often something may be done ({@link
 * org.aspas.certify.bound.TokenBucket}).
 *
 * <p>Nothing here reads a clock. Time is a number that the caller brings, in a unit of the caller's choice, so that cores
 * and shells use the same classes.
 */
@NullMarked
package org.aspas.certify.bound;

import org.jspecify.annotations.NullMarked;
