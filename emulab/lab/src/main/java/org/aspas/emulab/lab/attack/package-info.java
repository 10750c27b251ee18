/**
 * Byzantine appservers and clients on real sockets. A server of a running deployment gets another machine behind its TLS links and its
 * WebSocket, by the port {@link org.aspas.appserver.port.MachineMaker}: {@link org.aspas.emulab.lab.attack.ByzantineMachine}
 * stands under a {@link org.aspas.emulab.sim.node.ConductedServer}, as a server of the simulator does. That runs one or two
 * correct cores and lets a role ({@link org.aspas.emulab.sim.role.Roles}) change what leaves them, with the server's own key
 * and no other. The correct servers get a {@link
 * org.aspas.emulab.lab.attack.WatchedMachine} around their core, which changes nothing and tells what becomes of evidence.
 *
 * <p>{@link org.aspas.emulab.lab.attack.Attack} makes both and decides when the attack begins; {@link
 * org.aspas.emulab.lab.attack.Chronicle} tells what happened, in milliseconds since the first misdeed, and keeps who noticed it
 * when as {@link org.aspas.emulab.sim.detection.Detections}.
 *
 * <p>{@link org.aspas.emulab.lab.attack.AttackStage} does the same while the servers run: any appserver may be taken over, and any
 * may stand still. It tells {@link org.aspas.emulab.lab.attack.StoryLine}s.
 *
 * <p>{@link org.aspas.emulab.lab.attack.Flood} is the Byzantine clients' side: connections that send more than any server wants.
 */
@NullMarked
package org.aspas.emulab.lab.attack;

import org.jspecify.annotations.NullMarked;
