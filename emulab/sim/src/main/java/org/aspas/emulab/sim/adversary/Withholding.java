package org.aspas.emulab.sim.adversary;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/** Servers that keep back or delay what they owe, and tell no lie. */
final class Withholding {
    private Withholding() {}

    /** Sends to servers only what passes. */
    static ByzantineBehavior toServers(BiPredicate<NodeId, Frame> passes) {
        return new ByzantineBehavior() {
            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                if (passes.test(to, frame)) {
                    exit.node(to, frame, 0);
                }
            }
        };
    }

    /** Says nothing to any server. */
    static ByzantineBehavior silent(AdversaryContext power) {
        return toServers((to, frame) -> false);
    }

    /** Acknowledges clients' updates and gives them to no other appserver. */
    static ByzantineBehavior silentToPeers(AdversaryContext power) {
        return toServers((to, frame) -> to.role() == Role.BFTSERVER);
    }

    /** Answers no client after the greeting. */
    static ByzantineBehavior mute(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                if (!(message instanceof Answer) && !(message instanceof Confirmation)) {
                    exit.client(connection, message);
                }
            }
        };
    }

    /** Gives its batches to some appservers only. */
    static ByzantineBehavior selective(AdversaryContext power) {
        Set<Integer> chosen = new TreeSet<>();
        int peers = power.quorums().appservers();
        int count = 1 + power.chance().index(power.quorums().f());
        while (chosen.size() < count) {
            chosen.add(power.chance().index(peers));
        }
        return toServers((to, frame) -> !(frame instanceof Frame.Plain plain && plain.message() instanceof Batch)
                || chosen.contains(to.index()));
    }

    /** Sends everything to servers, a part of it seconds later and out of order. */
    static ByzantineBehavior delaying(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                boolean late = power.chance().happens(0.5);
                exit.node(to, frame, late ? power.chance().between(1, 4 * Timeline.SECOND) : 0);
            }
        };
    }

    /** Answers clients without certificates, as if there were none newer than some moment. */
    static ByzantineBehavior withoutCertificates(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                if (message instanceof Answer answer) {
                    Answers answers = new Answers(power.sealer());
                    exit.client(
                            connection,
                            answers.bare(
                                    answers.changed(answer, Answers.edit(answer).certificate(CertificateNumber.NONE))));
                } else if (!(message instanceof Confirmation)) {
                    exit.client(connection, message);
                }
            }
        };
    }
}
