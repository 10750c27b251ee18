/**
 * The systems that workloads run against, by name ({@link org.aspas.emulab.baselines.SystemCatalogue}): ASPAS itself in the mixes of the
 * paper's Table 1, and the baselines that it is compared with. Each baseline has a package, and a page in docs/systems that says how
 * faithful it is to its original.
 *
 * <h2>ASPAS itself</h2>
 *
 * {@link org.aspas.emulab.baselines.AspasSystem} connects real clients to a cluster in this process, and compares the certified values
 * with the answers that the clients received. {@link org.aspas.emulab.baselines.AspasProcess} does the same with the servers in a
 * process of their own.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.baselines;
