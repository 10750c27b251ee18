/**
 * What servers take over time: processes under a steady load, of which heap after a collection, disk, threads and descriptors
 * are read every so often ({@link org.aspas.emulab.experiments.growth.ProcessMeter}), and the slopes
 * ({@link org.aspas.emulab.experiments.growth.GrowthSeries}).
 */
@NullMarked
package org.aspas.emulab.experiments.growth;

import org.jspecify.annotations.NullMarked;
