package org.aspas.emulab.sim.adversary;

import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.aspas.emulab.sim.node.Outgoing;

/** Several behaviors of one server: what leaves the first goes through the next. */
final class Chain implements ByzantineBehavior {
    private final List<ByzantineBehavior> links;

    Chain(List<ByzantineBehavior> links) {
        this.links = List.copyOf(links);
    }

    @Override
    public int cores() {
        return links.stream().mapToInt(ByzantineBehavior::cores).max().orElse(1);
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
    public void wanted(int core, Outgoing due, Exit exit) {
        through(0, core, exit).send(due);
    }

    /** The links from one place on, as an exit. Bytes go past all of them; what is late goes through the next one only. */
    private Exit through(int next, int core, Exit end) {
        if (next == links.size()) {
            return end;
        }
        return what -> {
            if (what instanceof Outgoing.ToNode node && node.late() > 0) {
                links.get(next).wanted(core, what, end);
            } else if (what instanceof Outgoing.ToNode || what instanceof Outgoing.ToClient) {
                links.get(next).wanted(core, what, through(next + 1, core, end));
            } else {
                end.send(what);
            }
        };
    }

    @Override
    public Frame incoming(NodeId from, Frame frame) {
        Frame shown = frame;
        for (ByzantineBehavior link : links) {
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
}
