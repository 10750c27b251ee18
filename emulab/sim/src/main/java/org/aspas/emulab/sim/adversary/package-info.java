/**
 * Byzantine parties. A server keeps its correct core: a role changes what goes in and out of it, with the party's own key and those of
 * colluders. {@link org.aspas.emulab.sim.adversary.Roles} has all roles by their names on the command line.
 *
 * <p>Most roles of servers are {@link org.aspas.emulab.sim.adversary.Rules} on the messages that the core wants to send. They stand in the
 * tables {@link org.aspas.emulab.sim.adversary.ServerRoles} and {@link org.aspas.emulab.sim.adversary.ReplicaRoles}, or by their subject in
 * {@link org.aspas.emulab.sim.adversary.CertificateLies}, {@link org.aspas.emulab.sim.adversary.ReportLies} and {@link
 * org.aspas.emulab.sim.adversary.Noise}. Those that make a log, proofs or frames of their own are classes. {@link
 * org.aspas.emulab.sim.adversary.BadClient} follows no protocol at all.
 *
 * <p>Fuzzing changes single fields of genuine messages, which the party signs again. {@link org.aspas.emulab.sim.adversary.Fields} walks a
 * message by its records and names every field, as {@code STABLE.roots[]} or {@code RESPONSE.dot.sequence}; messages inside others count
 * under their own kind. {@link org.aspas.emulab.sim.adversary.FrameFuzzer} chooses the field that its run changed least so far, and makes
 * another value for it. {@link org.aspas.emulab.sim.adversary.FieldCoverage} counts.
 *
 * <p>A role draws all its chance from the stream of its party, so its draws and their order are part of its behavior: another order makes
 * other runs of old seeds.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.adversary;
