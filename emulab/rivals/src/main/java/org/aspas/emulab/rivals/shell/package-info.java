/**
 * The appserver's own shells around other machines: the session socket, the actor, the peer links, the same frames of the same
 * sizes, and no cryptography in them but the links' TLS.
 *
 * <p>{@link org.aspas.emulab.rivals.shell.ShellServers} starts appservers with a machine of a rival's own, in a deployment whose
 * signatures are 64 bytes without meaning ({@link org.aspas.emulab.rivals.shell.NoSignatures}). {@link
 * org.aspas.emulab.rivals.shell.ShellSession} is a client that speaks to one over its WebSocket. A system of such servers is a
 * {@link org.aspas.emulab.rivals.shell.ShellSystem}.
 */
@NullMarked
package org.aspas.emulab.rivals.shell;

import org.jspecify.annotations.NullMarked;
