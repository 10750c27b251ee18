package org.aspas.emulab.console.remote;

import java.util.List;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.client.transport.ServerTrust;
import org.aspas.emulab.console.port.NodeControl;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/**
 * Which deployment a console is over. Immutable.
 *
 * @param descriptor the deployment, verified
 * @param file its descriptor as it is signed
 * @param trust whose certificates are taken, of servers that are reached by TLS
 * @param watched the keys of counters whose values are shown
 * @param world where the nodes are; null when nobody says
 * @param control stops and starts nodes; null for a console that only looks
 */
public record WatchOptions(
        Descriptor descriptor,
        DescriptorFile file,
        PublicKey operator,
        ServerTrust trust,
        List<String> watched,
        @Nullable WorldMap world,
        @Nullable NodeControl control) {
    public WatchOptions {
        watched = List.copyOf(watched);
    }
}
