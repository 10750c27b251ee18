/**
 * Workloads over the clients of a replicated store, and what is measured of them.
 *
 * <p>{@link org.aspas.emulab.workload.SystemUnderTest} is what workloads are run against, and {@link
 * org.aspas.emulab.workload.StoreSession} one client of it; {@link org.aspas.emulab.workload.ClientSession} is a real client of
 * ASPAS.
 *
 * <p>A {@link org.aspas.emulab.workload.WorkloadDefinition} chooses operations. {@link
 * org.aspas.emulab.workload.YcsbWorkload} lets YCSB's own {@code CoreWorkload} choose: an {@code OperationCapture} notes what it asks for, and {@link
 * org.aspas.emulab.workload.OperationRunner} carries that out at a client without a thread that waits. {@link
 * org.aspas.emulab.workload.WorkloadDriver} runs the phases, a {@link org.aspas.emulab.workload.LoadModel} decides when
 * operations begin ({@code ClosedLoop}, {@code OpenLoop}), and {@link
 * org.aspas.emulab.workload.GeneratorRecord} notes what the generator itself did; confirmations are awaited in the background. {@link org.aspas.emulab.workload.Measures}
 * takes the times, {@link org.aspas.emulab.workload.Ledger} remembers what the servers acknowledged, so that the values
 * at the end of a run can be compared with it. Clients are mixed as Table 1 of the paper says
 * ({@link org.aspas.emulab.workload.ToleranceMix}).
 */
@NullMarked
package org.aspas.emulab.workload;

import org.jspecify.annotations.NullMarked;
