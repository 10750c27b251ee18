/**
 * Byzantine roles. Each is a {@link org.aspas.emulab.sim.node.ByzantineBehavior}, a {@link org.aspas.emulab.sim.node.ReplicaConduct}
 * or a client of its own kind, works on whole messages with the party's own key, and can be put together with others. {@link
 * org.aspas.emulab.sim.adversary.Roles} lists them by name.
 *
 * <h2>Changed fields</h2>
 *
 * Changes single fields of genuine messages, for Byzantine parties that sign again what they changed.
 *
 * <p>{@link org.aspas.emulab.sim.adversary.Fields} walks a message by its records and names every field, as {@code STABLE.roots[]} or
 * {@code RESPONSE.dot.sequence}; messages inside others count under their own kind. {@link
 * org.aspas.emulab.sim.adversary.FrameFuzzer} chooses the field that this run changed least so far, and makes another value for it. {@link org.aspas.emulab.sim.adversary.FieldCoverage} counts. The roles that send such frames are in {@code
 * sim.adversary}.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.adversary;
