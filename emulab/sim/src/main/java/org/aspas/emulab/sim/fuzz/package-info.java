/**
 * Changes single fields of genuine messages, for Byzantine parties that sign again what they changed.
 *
 * <p>{@link org.aspas.emulab.sim.fuzz.Fields} walks a message by its records and names every field, as {@code STABLE.roots[]}
 * or {@code RESPONSE.dot.sequence}; messages inside others count under their own kind. {@link
 * org.aspas.emulab.sim.fuzz.Mutations} makes another value for one of them, and {@link org.aspas.emulab.sim.fuzz.Fuzzer} chooses
 * the field, which is the one that this run changed least so far. {@link org.aspas.emulab.sim.fuzz.FieldCoverage} counts.
 * The roles that send such frames are in {@code sim.role}.
 */
@NullMarked
package org.aspas.emulab.sim.fuzz;

import org.jspecify.annotations.NullMarked;
