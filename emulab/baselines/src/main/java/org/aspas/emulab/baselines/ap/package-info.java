/**
 * The available baseline (paper §5: "AP"; docs/systems/ap.md): the appserver's shells with the same CRDTs and a causal broadcast, but
 * without certification and cryptography.
 *
 * <p>{@link org.aspas.emulab.baselines.ap.CausalMachine} is one server, a pure machine: events in, effects out. {@link
 * org.aspas.emulab.baselines.ap.CausalLogs} holds the operations of each origin and delivers them in causal order; {@link
 * org.aspas.emulab.baselines.ap.CausalBroadcast} sends them to the other servers in batches and requests missing ones.
 *
 * <h2>The echo</h2>
 *
 * The lower bound on the cost of a request behind the appserver's shells: {@link org.aspas.emulab.baselines.ap.EchoMachine} answers at
 * once, in messages of the same sizes as those of ASPAS, and keeps no state (docs/systems/echo.md).
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.baselines.ap;
