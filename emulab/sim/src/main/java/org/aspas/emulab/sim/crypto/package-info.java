/** The keys of simulated parties: Ed25519, or a keyed hash in its place for bulk runs. */
@NullMarked
package org.aspas.emulab.sim.crypto;

import org.jspecify.annotations.NullMarked;
