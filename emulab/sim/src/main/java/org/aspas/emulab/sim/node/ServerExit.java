package org.aspas.emulab.sim.node;

import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;
import org.aspas.emulab.sim.network.Wire;
import org.jspecify.annotations.Nullable;

/** Where what leaves an appserver becomes bytes on the network. */
final class ServerExit {
    private final World world;
    private final NodeId self;
    private @Nullable Object lastEncoded;
    private @Nullable Wire lastWire;

    ServerExit(World world, NodeId self) {
        this.world = world;
        this.self = self;
    }

    void leave(Outgoing what) {
        if (what instanceof Outgoing.ToNode node) {
            world.network().send(self, node.to(), wire(node.frame()), node.late());
        } else if (what instanceof Outgoing.BytesToNode node) {
            world.network().send(self, node.to(), new Wire(node.bytes()), 0);
        } else if (what instanceof Outgoing.ToClient client) {
            world.lines().toClient(client.connection(), Wire.of(client.frame()));
        } else if (what instanceof Outgoing.BytesToClient client) {
            world.lines().toClient(client.connection(), new Wire(client.bytes()));
        }
    }

    /** What goes to several servers is encoded once. */
    Wire wire(Frame frame) {
        Object content = frame instanceof Frame.Plain plain ? plain.message() : ((Frame.Sealed) frame).signed();
        Wire known = lastWire;
        if (content == lastEncoded && known != null) {
            return known;
        }
        Wire made = Wire.of(frame);
        lastEncoded = content;
        lastWire = made;
        return made;
    }
}
