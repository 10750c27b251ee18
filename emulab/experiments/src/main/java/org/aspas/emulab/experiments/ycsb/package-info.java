/**
 * What a stock YCSB loads by name: {@link org.aspas.emulab.experiments.ycsb.AspasDb}. YCSB then measures, and nothing else of
 * the testbed runs.
 */
@NullMarked
package org.aspas.emulab.experiments.ycsb;

import org.jspecify.annotations.NullMarked;
