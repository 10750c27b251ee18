/** The third tier: BFT-SMaRt around the certification state machine. */
@NullMarked
package org.aspas.bftcluster;

import org.jspecify.annotations.NullMarked;
