/**
 * The whole system in one process, and the commands that run workloads on it.
 *
 * <p>{@link org.aspas.emulab.demo.Cluster} starts every appserver and bftserver of a fresh deployment on real loopback
 * sockets and can stop single ones. {@link org.aspas.emulab.demo.Experiment} connects clients, runs the workload, waits for
 * the confirmations and lets {@link org.aspas.emulab.demo.ConvergenceCheck} ask every appserver for its certificate and
 * values. {@link org.aspas.emulab.demo.DemoCommand} and {@link org.aspas.emulab.demo.BenchCommand} are the commands.
 */
@NullMarked
package org.aspas.emulab.demo;

import org.jspecify.annotations.NullMarked;
