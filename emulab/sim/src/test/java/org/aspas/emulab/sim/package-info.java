/** Short simulations: every guarantee, every role, and the seeds that found something. */
@NullMarked
package org.aspas.emulab.sim;

import org.jspecify.annotations.NullMarked;
