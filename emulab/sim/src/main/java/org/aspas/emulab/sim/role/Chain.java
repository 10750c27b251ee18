package org.aspas.emulab.sim.role;

import java.util.List;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.sim.node.Outgoing;
import org.aspas.emulab.sim.node.ServerConduct;

/** Several conducts of one server: what leaves the first goes through the next. */
final class Chain implements ServerConduct {
    private final List<ServerConduct> links;

    Chain(List<ServerConduct> links) {
        this.links = List.copyOf(links);
    }

    @Override
    public int cores() {
        return links.stream().mapToInt(ServerConduct::cores).max().orElse(1);
    }

    @Override
    public boolean knows(int core, NodeId peer) {
        return links.stream().allMatch(link -> link.knows(core, peer));
    }

    @Override
    public boolean takes(int core, ConnectionId connection, Frame frame) {
        return links.stream().allMatch(link -> link.takes(core, connection, frame));
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        new Rest(0, core, exit).node(to, frame, 0);
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        new Rest(0, core, exit).client(connection, message);
    }

    @Override
    public void toClientSigned(int core, ConnectionId connection, Signed<? extends Message> signed, Exit exit) {
        new Rest(0, core, exit).clientSigned(connection, signed);
    }

    @Override
    public Frame incoming(NodeId from, Frame frame) {
        Frame shown = frame;
        for (ServerConduct link : links) {
            shown = link.incoming(from, shown);
        }
        return shown;
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        links.forEach(link -> link.heard(from, frame, exit));
    }

    @Override
    public void tick(Exit exit) {
        links.forEach(link -> link.tick(exit));
    }

    /** The links from one place on, as an exit. */
    private final class Rest implements Exit {
        private final int next;
        private final int core;
        private final Exit end;

        Rest(int next, int core, Exit end) {
            this.next = next;
            this.core = core;
            this.end = end;
        }

        @Override
        public void send(Outgoing what) {
            if (next == links.size()) {
                end.send(what);
            } else if (what instanceof Outgoing.ToNode node) {
                links.get(next).toNode(core, node.to(), node.frame(), node.late() == 0 ? rest() : end);
            } else if (what instanceof Outgoing.ToClient client && client.frame() instanceof Frame.Plain plain) {
                links.get(next).toClient(core, client.connection(), plain.message(), rest());
            } else if (what instanceof Outgoing.ToClient client && client.frame() instanceof Frame.Sealed sealed) {
                links.get(next).toClientSigned(core, client.connection(), sealed.signed(), rest());
            } else {
                end.send(what);
            }
        }

        private Rest rest() {
            return new Rest(next + 1, core, end);
        }
    }
}
