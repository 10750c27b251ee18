/**
 * What the client does about a server that is not what it should be (paper §3.6; the protocol page, docs/protocol.md
 * §6-§8), as {@link org.aspas.client.core.port.Policy} says. Blame needs proof; leaving does not, and what doubt may cost is
 * bounded.
 *
 * <ul>
 *   <li>{@link org.aspas.client.core.guard.Inspections} shows random answers to the other servers, which recompute them.
 *   <li>{@link org.aspas.client.core.guard.Complaints} brings evidence to the other servers and counts their verdicts.
 *   <li>{@link org.aspas.client.core.guard.NewestCertificateQuery} asks them for the newest certificate before the first read.
 *   <li>{@link org.aspas.client.core.guard.ResponseTimeout} finds that the server does not respond, or is late,
 *       while others are better.
 *   <li>{@link org.aspas.client.core.guard.SwitchPolicy} decides when the client leaves its server, or must believe it.
 *   <li>{@link org.aspas.client.core.guard.PeerQueries} is the way to the other servers, for all of these.
 * </ul>
 *
 * <p>f+1 servers that say the same are believed, for one of them is correct. Silence decides nothing.
 */
@NullMarked
package org.aspas.client.core.guard;

import org.jspecify.annotations.NullMarked;
