/**
 * What a Byzantine party did wrong, who noticed it, and what came of it: one vocabulary for the simulator and for attacks on
 * real sockets. {@link org.aspas.emulab.sim.detection.Detections} takes both sides and measures the time between them.
 */
@NullMarked
package org.aspas.emulab.sim.detection;

import org.jspecify.annotations.NullMarked;
