/**
 * Byzantine appservers and clients on real sockets. The port {@link org.aspas.appserver.port.MachineMaker} gives a server of a running
 * deployment another machine behind its TLS links and its client sessions: {@code ByzantineMachine} drives a {@link
 * org.aspas.emulab.sim.node.InstrumentedServer}, as a server of the simulator does. That server runs one or two correct cores and lets a
 * role ({@link org.aspas.emulab.sim.adversary.Roles}) change the messages that leave them, using only the server's own key. On correct
 * servers, a {@link org.aspas.emulab.testbed.attack.WatchedMachine} wraps the core; it changes nothing and reports what happens to
 * evidence.
 *
 * <p>{@link org.aspas.emulab.testbed.attack.Attack} creates both kinds of machine and decides when the attack begins. {@link
 * org.aspas.emulab.testbed.attack.AttackTimeline} reports what happened, in milliseconds since the first misdeed, and records who
 * detected it and when as {@link org.aspas.emulab.sim.invariant.Detections}.
 *
 * <p>{@link org.aspas.emulab.testbed.attack.AttackController} does the same while the servers run: it can take over any appserver and
 * freeze any. It reports {@link org.aspas.emulab.testbed.attack.AttackEvent}s.
 *
 * <p>{@link org.aspas.emulab.testbed.attack.Flood} plays Byzantine clients, whose connections send more than a server accepts.
 */
@NullMarked
package org.aspas.emulab.testbed.attack;

import org.jspecify.annotations.NullMarked;
