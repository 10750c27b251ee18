package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.aspas.emulab.sim.node.Outgoing;

/** Servers that run two cores under one key, and so sign two histories. */
final class TwoHistories {
    private TwoHistories() {}

    /** Shows one history to some appservers and another to the rest; each client is served from one of them. */
    static ByzantineBehavior fork(AdversaryContext context) {
        long sides = context.chance().between(0, Long.MAX_VALUE - 1);
        while (onOneSide(context, sides)) {
            sides = context.chance().between(0, Long.MAX_VALUE - 1);
        }
        long chosen = sides;
        return twins(context, () -> chosen);
    }

    private static boolean onOneSide(AdversaryContext context, long sides) {
        int ones = 0;
        int others = context.quorums().appservers() - 1;
        for (int peer = 0; peer <= others; peer++) {
            ones += peer != context.self().index() && (sides >> peer & 1) == 1 ? 1 : 0;
        }
        return ones == 0 || ones == others;
    }

    /** Twins: as a fork, with sides that change every few seconds. */
    static ByzantineBehavior shifting(AdversaryContext context) {
        long round = context.chance().between(1, 5) * Timeline.SECOND;
        long salt = context.chance().between(0, Long.MAX_VALUE - 1);
        return twins(context, () -> salt * (context.now().getAsLong() / round + 3));
    }

    private static ByzantineBehavior twins(AdversaryContext context, LongSupplier sides) {
        Map<ConnectionId, Integer> histories = new HashMap<>();
        int first = context.chance().index(2);
        return new ByzantineBehavior() {
            /** From which history a client is served: by turns, so that two clients are enough for two histories. */
            private int history(ConnectionId connection) {
                return histories.computeIfAbsent(connection, any -> (first + histories.size()) % 2);
            }

            @Override
            public int cores() {
                return 2;
            }

            @Override
            public boolean knows(int core, NodeId peer) {
                return peer.role() == Role.BFTSERVER || (sides.getAsLong() >> peer.index() & 1) == core;
            }

            @Override
            public boolean takes(int core, ConnectionId connection, Frame frame) {
                return history(connection) == core;
            }

            @Override
            public Frame incoming(NodeId from, Frame frame) {
                return withoutOwnHead(context, frame);
            }

            @Override
            public void wanted(int core, Outgoing due, Exit exit) {
                if (!(due instanceof Outgoing.ToClient client) || history(client.connection()) == core) {
                    exit.send(due);
                }
            }
        };
    }

    /** A core that saw the other one's head among its peers' would take its own store for an older one, and stop. */
    static Frame withoutOwnHead(AdversaryContext context, Frame frame) {
        if (!(frame.message() instanceof Frontier frontier)) {
            return frame;
        }
        List<Signed<Head>> others = frontier.heads().stream()
                .filter(head -> head.message().origin() != context.self().index())
                .toList();
        return new Frame.Plain(with(frontier, "heads", others));
    }

    /**
     * The paper's two logs (§3.6, Inspection): clients are answered from one log, and the other servers see another one,
     * in which some of the updates are missing and later ones have their dots.
     */
    static ByzantineBehavior clientsAgainstPeers(AdversaryContext context) {
        return new ByzantineBehavior() {
            @Override
            public int cores() {
                return 2;
            }

            @Override
            public boolean takes(int core, ConnectionId connection, Frame frame) {
                return core == 0
                        || !(frame.message() instanceof Request)
                        || !context.chance().happens(0.15);
            }

            @Override
            public void wanted(int core, Outgoing due, Exit exit) {
                if (core == (due instanceof Outgoing.ToNode ? 1 : 0)) {
                    exit.send(due);
                }
            }
        };
    }
}
