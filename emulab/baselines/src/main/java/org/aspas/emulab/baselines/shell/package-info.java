/**
 * The appserver's own shells around the machines of baselines: the same session socket, actor and peer links, and frames of the same
 * sizes, but no cryptography other than the links' TLS.
 *
 * <p>{@link org.aspas.emulab.baselines.shell.ShellServers} starts appservers with a baseline's machine, in a deployment whose signatures
 * are 64 meaningless bytes ({@link org.aspas.emulab.baselines.shell.NoSignatures}). {@link
 * org.aspas.emulab.baselines.shell.ShellSystem} is a system of such servers; its clients ({@code ShellSession}) use binary sessions.
 */
@NullMarked
package org.aspas.emulab.baselines.shell;

import org.jspecify.annotations.NullMarked;
