/**
 * What goes wrong in a run besides Byzantine parties: crashes, partitions, broken connections, a bad network. The plan is
 * made from the seed before the run, fault by fault, so that a violation can be shrunk by leaving faults out.
 */
@NullMarked
package org.aspas.emulab.sim.fault;

import org.jspecify.annotations.NullMarked;
