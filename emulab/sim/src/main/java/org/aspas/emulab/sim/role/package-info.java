/**
 * Byzantine roles. Each is a {@link org.aspas.emulab.sim.node.ServerConduct}, a
 * {@link org.aspas.emulab.sim.node.ReplicaConduct} or a client of its own kind, works on whole messages with the party's own
 * key, and can be put together with others. {@link org.aspas.emulab.sim.role.Roles} lists them by name.
 */
@NullMarked
package org.aspas.emulab.sim.role;

import org.jspecify.annotations.NullMarked;
