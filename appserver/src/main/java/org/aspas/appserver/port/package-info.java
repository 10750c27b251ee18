/**
 * What the shells of an appserver offer each other: the clients' listeners, the links to other servers, and the stable
 * store. A shell sees this package and the core, never another shell; {@code org.aspas.appserver.node} wires them.
 */
@NullMarked
package org.aspas.appserver.port;

import org.jspecify.annotations.NullMarked;
