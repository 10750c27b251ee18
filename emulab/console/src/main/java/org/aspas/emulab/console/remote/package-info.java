/**
 * A console over a deployment whose nodes are processes, on this machine or elsewhere. {@link
 * org.aspas.emulab.console.remote.DeploymentWatch} queries the appservers over HTTP and with clients that verify, and shows their answers.
 * It is read-only unless it is given a {@link org.aspas.emulab.console.feed.NodeControl}.
 */
@NullMarked
package org.aspas.emulab.console.remote;

import org.jspecify.annotations.NullMarked;
