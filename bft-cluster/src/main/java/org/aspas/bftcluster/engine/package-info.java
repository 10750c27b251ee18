/**
 * The adapter around BFT-SMaRt: one replica of the library drives one {@link
 * org.aspas.certify.machine.OrderedMachine}.
 *
 * <p>{@link org.aspas.bftcluster.engine.ReplicaEngine} starts and stops the replica; read it first. The library reads no
 * file: addresses, RSA keys and settings are arguments ({@link org.aspas.bftcluster.engine.LibraryConfiguration}). RSA keys
 * below 2048 bits are refused, because the library ships with a shorter key pair that everybody knows.
 *
 * <h2>How the library is contained</h2>
 * <ul>
 *   <li>{@link org.aspas.bftcluster.engine.Containment} says how others reach the replica. The library opens two ports. We
 *       close both as soon as they exist, and give the library an {@link
 *       org.aspas.bftcluster.engine.InMemoryServerSocket}. {@link org.aspas.bftcluster.engine.LibraryInternals} is the
 *       only class that knows private fields of the library.
 *   <li>{@link org.aspas.bftcluster.engine.LibraryRequests} gives it requests, instead of its request port.
 *   <li>{@link org.aspas.bftcluster.engine.BoundedLeaderChange} takes the place of its leader change data.
 *   <li>{@link org.aspas.bftcluster.engine.LibraryWatchdog} looks after its keys, threads and timeouts.
 *   <li>{@link org.aspas.bftcluster.engine.OrderedReplica} and {@link
 *       org.aspas.bftcluster.engine.RecoverableMachine} give each decided instance to the machine once and in order.
 * </ul>
 *
 * <h2>How a replica catches up</h2>
 * <p>{@link org.aspas.bftcluster.engine.OrderLog} keeps snapshots and commands for other replicas. {@link
 * org.aspas.bftcluster.engine.StateTransfer} takes the place of the library's own state transfer: {@link
 * org.aspas.bftcluster.engine.CatchUp} decides, {@link org.aspas.bftcluster.engine.OrderingLayer} acts on the library. A
 * replica takes a state only when b+1 others sent the same bytes ({@link org.aspas.bftcluster.engine.TransferredState}).
 * {@link org.aspas.bftcluster.engine.IncarnationCheck} notices that the others have begun the order anew.
 *
 * <p>We trust the library with order and liveness only. Certificates are safe whatever it does: they rest on the
 * application's signatures. What remains of liveness against Byzantine replicas is in docs/security.md.
 */
@NullMarked
package org.aspas.bftcluster.engine;

import org.jspecify.annotations.NullMarked;
