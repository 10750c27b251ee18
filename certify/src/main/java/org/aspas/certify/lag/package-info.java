/**
 * How long each step takes from an answer to its confirmation (the protocol page, docs/protocol.md §5), as each node measures it
 * between moments that it sees itself. So nothing depends on clocks that agree, and it works across processes and machines.
 *
 * <p>{@link org.aspas.certify.lag.LagStep} names the steps and who sees them, {@link org.aspas.certify.lag.StepDurations} keeps
 * the newest durations of each, and {@link org.aspas.certify.lag.DurationFigures} puts them in a few numbers.
 *
 * <p>Nothing here reads a clock: times are nanoseconds that a shell brings, of one monotonic clock with any origin. Shells watch
 * what goes into a core and what comes out; no core knows of it. How to read the figures is in docs/performance.md.
 */
@NullMarked
package org.aspas.certify.lag;

import org.jspecify.annotations.NullMarked;
