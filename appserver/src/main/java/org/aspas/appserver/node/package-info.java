/**
 * Wires an appserver: core, actor, links, store and HTTP port. {@link org.aspas.appserver.node.AppServer} is the way to
 * run one, in its own process or several in one; servers in one process share nothing but, if asked to, the threads of
 * one actor system.
 */
@NullMarked
package org.aspas.appserver.node;

import org.jspecify.annotations.NullMarked;
