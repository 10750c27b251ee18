/**
 * A console over a deployment whose nodes are processes, here or elsewhere. {@link org.aspas.emulab.console.remote.DeploymentWatch}
 * asks appservers over HTTP and by clients that verify, and shows what they tell. It changes nothing, unless it is given a {@link
 * org.aspas.emulab.console.port.NodeControl}.
 */
@NullMarked
package org.aspas.emulab.console.remote;

import org.jspecify.annotations.NullMarked;
