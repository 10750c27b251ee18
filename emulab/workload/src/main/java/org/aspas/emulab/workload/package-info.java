/**
 * YCSB workloads over the clients of a replicated store.
 *
 * <p>{@link org.aspas.emulab.workload.SystemUnderTest} is what workloads are run against, and {@link
 * org.aspas.emulab.workload.StoreSession} one client of it; {@link org.aspas.emulab.workload.ClientSession} is a real client of
 * ASPAS.
 *
 * <p>{@link org.aspas.emulab.workload.WorkloadDriver} runs YCSB's own {@code CoreWorkload} with one thread and one
 * {@link org.aspas.emulab.workload.AspasYcsbDb} per client, as the workload's authors do; a client blocks until its update
 * is answered, while confirmations are awaited in the background. {@link org.aspas.emulab.workload.Measures} takes the
 * times, {@link org.aspas.emulab.workload.Ledger} remembers what the servers acknowledged, so that the values at the end
 * of a run can be compared with it. Clients are mixed as Table 1 of the paper says ({@link
 * org.aspas.emulab.workload.ToleranceMix}).
 */
@NullMarked
package org.aspas.emulab.workload;

import org.jspecify.annotations.NullMarked;
