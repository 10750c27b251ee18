/**
 * What goes into the core of an appserver and what comes out of it: events and effects ({@link
 * org.aspas.appserver.core.state.Event}, {@link org.aspas.appserver.core.state.Effect}), alarms, a picture of its state, and what
 * it is made with. Shells and experiments see these, and {@link org.aspas.appserver.core.AppServerCore} to make one.
 *
 * <p>Beside them is what all parts of one core share while it takes an event ({@link
 * org.aspas.appserver.core.state.CoreState}): the effects collected so far, the time of the last tick, counters, whether the server can
 * serve, and how records are written. A {@link org.aspas.appserver.core.state.CorePart} has them at hand. Only the core itself takes the
 * effects and sets the time, and no shell sees any of it.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.appserver.core.state;
