package org.aspas.emulab.console.remote;

import java.util.List;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.client.net.ServerTrust;
import org.aspas.emulab.console.feed.NodeControl;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/**
 * The deployment that a console shows, and how to reach it. Immutable.
 *
 * @param descriptor the deployment's verified descriptor
 * @param file the signed file of the descriptor
 * @param trust the authorities that may sign the TLS certificates of servers
 * @param watched the keys of the counters whose values are shown
 * @param world the places of the nodes; null if they are unknown
 * @param control stops and starts nodes; null for a read-only console
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
