package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.aspas.emulab.sim.node.ReplicaConduct;

/** Parties that speak in the name of others, under their own signature since they have no other. */
final class Impersonating {
    private Impersonating() {}

    /** Continues the logs of other origins with entries that those never wrote. */
    static ByzantineBehavior origins(AdversaryContext power) {
        return new ByzantineBehavior() {
            private final Map<Integer, MerkleLog> logs = new TreeMap<>();
            private final Map<Integer, Entry> last = new TreeMap<>();

            @Override
            public void heard(NodeId from, Frame frame, Exit exit) {
                if (frame instanceof Frame.Plain plain && plain.message() instanceof Batch batch) {
                    learn(batch);
                    Entry entry = last.get(batch.head().message().origin());
                    if (entry != null
                            && power.begun().getAsBoolean()
                            && power.chance().happens(0.3)) {
                        exit.node(victim(entry.dot().origin()), new Frame.Plain(continued(entry)), 0);
                    }
                }
            }

            private void learn(Batch batch) {
                int origin = batch.head().message().origin();
                MerkleLog log = logs.computeIfAbsent(origin, any -> new MerkleLog());
                long next = batch.head().message().size() - batch.entries().size();
                for (byte[] bytes : batch.entries()) {
                    if (next == log.size()) {
                        log.append(bytes);
                        Codec.decode(bytes, Entry.class).accepted().ifPresent(entry -> last.put(origin, entry));
                    }
                    next++;
                }
            }

            private NodeId victim(int origin) {
                int index = power.chance().index(power.quorums().appservers());
                boolean unfit = index == origin || index == power.self().index();
                return NodeId.appserver(
                        unfit ? Math.floorMod(origin + 1, power.quorums().appservers()) : index);
            }

            private Batch continued(Entry entry) {
                Dot dot = new Dot(entry.dot().origin(), entry.dot().sequence() + 1);
                VersionVector after =
                        entry.dependencies().with(dot.origin(), entry.dot().sequence());
                byte[] bytes = Codec.encode(new Entry(dot, after, entry.body()));
                MerkleLog longer = new MerkleLog();
                MerkleLog known = logs.getOrDefault(dot.origin(), new MerkleLog());
                for (long i = 0; i < known.size(); i++) {
                    longer.append(known.leaf(i));
                }
                longer.append(bytes);
                Signed<Head> head = power.sealer().seal(new Head(dot.origin(), longer.size(), longer.root()));
                return new Batch(head, List.of(bytes));
            }
        };
    }

    /** Puts commands of other bftservers and of appservers into the order. */
    static ReplicaConduct commands(AdversaryContext power) {
        return new ReplicaConduct() {
            @Override
            public void submit(byte[] command, Consumer<byte[]> exit) {
                exit.accept(command);
                if (Codec.decode(command) instanceof Decoded.Accepted<Frame> accepted
                        && accepted.value() instanceof Frame.Sealed sealed) {
                    for (Message lie : lies(sealed.signed().message())) {
                        exit.accept(Codec.encode(power.sealer().seal(lie)));
                    }
                }
            }

            private List<Message> lies(Message message) {
                List<Message> lies = new ArrayList<>();
                for (int replica = 0; replica < power.quorums().bftservers(); replica++) {
                    if (message instanceof Tick tick) {
                        lies.add(new Tick(replica, tick.k()));
                    } else if (message instanceof Accept accept) {
                        lies.add(new Accept(replica, accept.number(), accept.attempt(), accept.content()));
                    }
                }
                for (int server = 0; server < power.quorums().appservers(); server++) {
                    if (message instanceof Stable stable) {
                        lies.add(new Stable(
                                server,
                                stable.epoch(),
                                stable.round(),
                                stable.previous(),
                                stable.version(),
                                stable.roots(),
                                stable.closed(),
                                stable.closedRoots(),
                                Hash.sha256(stable.state().toBytes())));
                    } else if (message instanceof VertObft report
                            && report.version().size() == power.quorums().appservers()) {
                        lies.add(high(server, report));
                    }
                }
                return lies;
            }

            private VertObft high(int server, VertObft report) {
                VersionVector version = VersionVector.zero(power.quorums().appservers());
                List<Signed<Head>> heads = new ArrayList<>();
                for (int origin = 0; origin < version.size(); origin++) {
                    long size = Math.min(report.version().get(origin), Long.MAX_VALUE - 1_000_000) + 1_000_000;
                    version = version.with(origin, size);
                    heads.add(power.sealer().seal(new Head(origin, size, Hash.ZERO)));
                }
                return new VertObft(server, version, heads);
            }
        };
    }
}
