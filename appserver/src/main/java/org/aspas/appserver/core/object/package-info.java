/**
 * The objects and the clients' records, certified and live. {@link org.aspas.appserver.core.object.ObjectStore} is the entrance and has the
 * manual.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.appserver.core.object;
