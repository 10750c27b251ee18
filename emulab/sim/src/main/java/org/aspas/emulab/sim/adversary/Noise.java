package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.aspas.emulab.sim.node.Wire;

/** Servers that send nonsense, changed bytes, old messages, and too many. */
final class Noise {
    private static final int REMEMBERED = 300;
    private static final int MOST_BYTES = 200;
    private static final int FLOOD = 10;

    private Noise() {}

    private static NodeId anyNode(AdversaryContext power) {
        int servers = power.quorums().appservers();
        int index = power.chance().index(servers + power.quorums().bftservers());
        NodeId node = index < servers ? NodeId.appserver(index) : NodeId.bftserver(index - servers);
        return node.equals(power.self()) ? NodeId.bftserver(0) : node;
    }

    /** Bytes that are no frame, to everybody. */
    static ByzantineBehavior garbage(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void tick(Exit exit) {
                exit.nodeBytes(
                        anyNode(power), power.chance().bytes(1 + power.chance().index(MOST_BYTES)));
            }

            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                exit.client(connection, message);
                if (power.chance().happens(0.05)) {
                    exit.clientBytes(
                            connection, power.chance().bytes(1 + power.chance().index(MOST_BYTES)));
                }
            }
        };
    }

    /** Own frames with a few bytes changed, cut off, or added. */
    static ByzantineBehavior mutation(AdversaryContext power) {
        return new ByzantineBehavior() {
            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                if (power.chance().happens(0.3)) {
                    exit.nodeBytes(to, mutated(power, Wire.of(frame).bytes()));
                } else {
                    exit.node(to, frame, 0);
                }
            }

            @Override
            public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
                if (power.chance().happens(0.1)) {
                    exit.clientBytes(connection, mutated(power, Codec.encode(message)));
                } else {
                    exit.client(connection, message);
                }
            }
        };
    }

    /** The bytes with a few of them changed, or shorter, or longer. */
    static byte[] mutated(AdversaryContext power, byte[] bytes) {
        int how = power.chance().index(6);
        if (how == 0 || bytes.length < 2) {
            return Arrays.copyOf(bytes, bytes.length + 1 + power.chance().index(8));
        }
        if (how == 1) {
            return Arrays.copyOf(bytes, power.chance().index(bytes.length));
        }
        byte[] changed = bytes.clone();
        for (int i = 0; i <= power.chance().index(3); i++) {
            int place = power.chance().index(changed.length);
            changed[place] = power.chance().happens(0.5)
                    ? (byte) (changed[place] + (power.chance().happens(0.5) ? 1 : -1))
                    : (byte) power.chance().index(256);
        }
        return changed;
    }

    /** Frames that it sent or heard before, to anybody. */
    static ByzantineBehavior replay(AdversaryContext power) {
        return new ByzantineBehavior() {
            private final List<Frame> old = new ArrayList<>();

            private void keep(Frame frame) {
                power.chance().keep(old, frame, REMEMBERED);
            }

            @Override
            public void toNode(int core, NodeId to, Frame frame, Exit exit) {
                keep(frame);
                exit.node(to, frame, 0);
            }

            @Override
            public void heard(NodeId from, Frame frame, Exit exit) {
                keep(frame);
            }

            @Override
            public void tick(Exit exit) {
                if (!old.isEmpty()) {
                    exit.node(anyNode(power), power.chance().pick(old), 0);
                }
            }
        };
    }

    /** Questions without end, and reports to bftservers. */
    static ByzantineBehavior flood(AdversaryContext power) {
        return new ByzantineBehavior() {
            private long reports;

            private void report(Exit exit) {
                NodeId to =
                        NodeId.bftserver(power.chance().index(power.quorums().bftservers()));
                int server = power.self().index();
                VersionVector version =
                        VersionVector.zero(power.quorums().appservers()).with(server, ++reports);
                exit.node(to, new Frame.Sealed(power.sealer().seal(new VertObft(server, version, List.of()))), 0);
            }

            @Override
            public void tick(Exit exit) {
                for (int i = 0; i < FLOOD; i++) {
                    report(exit);
                }
                for (int i = 0; i < FLOOD; i++) {
                    NodeId to = NodeId.appserver(
                            power.chance().index(power.quorums().appservers()));
                    if (!to.equals(power.self())) {
                        Message question = power.chance().happens(0.5)
                                ? new Pull(power.chance().index(power.quorums().appservers()), 0)
                                : new GetCertificate(
                                        new CertificateNumber(power.chance().between(0, 50)));
                        exit.node(to, new Frame.Plain(question), 0);
                    }
                }
            }
        };
    }
}
