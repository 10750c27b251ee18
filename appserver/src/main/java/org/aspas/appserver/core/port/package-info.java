/**
 * What goes into the core of an appserver and what comes out of it: events and effects ({@link
 * org.aspas.appserver.core.port.Event}, {@link org.aspas.appserver.core.port.Effect}), alarms, a picture of its state, and what
 * it is made with. Shells and experiments see this package, and {@link org.aspas.appserver.core.AppServerCore} to make one.
 */
@NullMarked
package org.aspas.appserver.core.port;

import org.jspecify.annotations.NullMarked;
