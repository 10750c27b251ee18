/**
 * The appserver as a pure state machine. {@link org.aspas.appserver.core.AppServerCore} is its entrance and has the manual; {@code
 * core.state} is what goes in and comes out and what all parts share, and the other packages are the parts, in the order in which an
 * update passes through them: {@code log}, {@code object}, {@code certification}, {@code complaint}, {@code session}.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.appserver.core;
