/**
 * What all parts of one core share while it takes an event ({@link org.aspas.appserver.core.step.CoreContext}): the effects
 * collected so far, the time of the last tick, counters, whether the server can serve, and how records are written. A {@link
 * org.aspas.appserver.core.step.CorePart} has them at hand. Only the core itself takes the effects and sets the time.
 */
@NullMarked
package org.aspas.appserver.core.step;

import org.jspecify.annotations.NullMarked;
