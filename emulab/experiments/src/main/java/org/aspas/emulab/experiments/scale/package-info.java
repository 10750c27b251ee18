/**
 * What a deployment that holds much costs: {@link org.aspas.emulab.experiments.scale.NodeStart} starts its nodes as processes and
 * measures a start, {@link org.aspas.emulab.experiments.scale.ServedSet} what a large set costs its servers and clients.
 */
@NullMarked
package org.aspas.emulab.experiments.scale;

import org.jspecify.annotations.NullMarked;
