package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Rules.To.APPSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.BFTSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.CLIENTS;
import static org.aspas.emulab.sim.adversary.ServerRoles.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/** Appservers that send nonsense, changed bytes, old messages, others' entries, spoiled tags, and too much. */
final class Noise {
    private static final int REMEMBERED = 300;
    private static final int MOST_BYTES = 200;
    private static final int FLOOD = 10;

    private Noise() {}

    /** Adds these roles to the table of appservers. */
    static void roles() {
        server(
                "garbage",
                "sends bytes that are no frame besides what it owes",
                power -> new Rules(power)
                        .on(Message.class)
                        .to(CLIENTS)
                        .unsigned()
                        .act((message, due) -> {
                            due.pass();
                            if (power.chance().happens(0.05)) {
                                due.bytes().accept(anyBytes(power));
                            }
                        })
                        .onTick(exit -> exit.nodeBytes(anyNode(power), anyBytes(power))));
        server(
                "mutating",
                "changes bytes in its own frames",
                power -> new Rules(power)
                        .on(Message.class)
                        .to(APPSERVERS, BFTSERVERS)
                        .sometimes(0.3)
                        .act((message, due) -> due.bytes().accept(mutated(power, due.encoded())))
                        .on(Message.class)
                        .to(CLIENTS)
                        .unsigned()
                        .sometimes(0.1)
                        .act((message, due) -> due.bytes().accept(mutated(power, due.encoded()))));
        server("replaying", "sends anybody old frames of its own and of others", power -> {
            List<Frame> old = new ArrayList<>();
            return new Rules(power)
                    .on(Message.class)
                    .to(APPSERVERS, BFTSERVERS)
                    .act((message, due) -> {
                        power.chance().keep(old, due.frame(), REMEMBERED);
                        due.pass();
                    })
                    .onHeard(Message.class, (message, heard) -> power.chance().keep(old, heard.frame(), REMEMBERED))
                    .onTick(exit -> {
                        if (!old.isEmpty()) {
                            exit.node(anyNode(power), power.chance().pick(old), 0);
                        }
                    });
        });
        server("flooding", "asks appservers without end, and reports to bftservers", power -> {
            int self = power.self().index();
            int servers = power.quorums().appservers();
            AtomicLong reports = new AtomicLong();
            return new Rules(power).onTick(exit -> {
                for (int i = 0; i < FLOOD; i++) {
                    NodeId to = NodeId.bftserver(
                            power.chance().index(power.quorums().bftservers()));
                    VersionVector version = VersionVector.zero(servers).with(self, reports.incrementAndGet());
                    exit.node(to, power.frame(new VertObft(self, version, List.of())), 0);
                }
                for (int i = 0; i < FLOOD; i++) {
                    NodeId to = NodeId.appserver(power.chance().index(servers));
                    if (!to.equals(power.self())) {
                        Message question = power.chance().happens(0.5)
                                ? new Pull(power.chance().index(servers), 0)
                                : new GetCertificate(
                                        new CertificateNumber(power.chance().between(0, 50)));
                        exit.node(to, new Frame.Plain(question), 0);
                    }
                }
            });
        });
        server("impersonating", "continues the logs of others under its own signature", power -> {
            Map<Integer, MerkleLog> logs = new TreeMap<>();
            Map<Integer, Entry> last = new TreeMap<>();
            return new Rules(power).onHeard(Batch.class, (batch, heard) -> {
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
                Entry entry = last.get(origin);
                if (entry != null
                        && power.begun().getAsBoolean()
                        && power.chance().happens(0.3)) {
                    Dot dot = entry.dot();
                    MerkleLog known = logs.getOrDefault(dot.origin(), new MerkleLog());
                    heard.exit().node(victim(power, dot.origin()), new Frame.Plain(continued(power, known, entry)), 0);
                }
            });
        });
        server("stripped-tags", "gives batches without their tags, to all appservers or all but one", power -> {
            int served = power.chance().happens(0.5)
                    ? -1
                    : power.chance().index(power.quorums().appservers());
            return tags(power, (to, batch) -> to == served ? batch : bare(batch));
        });
        server(
                "garbled-tags",
                "gives batches with wrong tags, or tags at other entries",
                power -> tags(power, (to, batch) -> {
                    byte[] tags = batch.tags();
                    int rest = tags.length - TaggedRequest.TAG_BYTES;
                    if (rest == 0 || power.chance().happens(0.5)) {
                        return batch.tagged(power.chance().bytes(tags.length));
                    }
                    byte[] turned = new byte[tags.length];
                    System.arraycopy(tags, TaggedRequest.TAG_BYTES, turned, 0, rest);
                    System.arraycopy(tags, 0, turned, rest, TaggedRequest.TAG_BYTES);
                    return batch.tagged(turned);
                }));
        server(
                "relayed-without-tags",
                "gives others' batches to all appservers at once, without tags",
                power -> new Rules(power).onHeard(Batch.class, (batch, heard) -> {
                    if (batch.head().message().origin() == heard.from().index()) {
                        power.peers().stream()
                                .filter(peer -> peer.index() != heard.from().index())
                                .forEach(peer -> heard.exit().node(peer, new Frame.Plain(bare(batch)), 0));
                    }
                }));
    }

    private static NodeId anyNode(AdversaryContext power) {
        int servers = power.quorums().appservers();
        int index = power.chance().index(servers + power.quorums().bftservers());
        NodeId node = index < servers ? NodeId.appserver(index) : NodeId.bftserver(index - servers);
        return node.equals(power.self()) ? NodeId.bftserver(0) : node;
    }

    private static byte[] anyBytes(AdversaryContext power) {
        return power.chance().bytes(1 + power.chance().index(MOST_BYTES));
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

    // ---- Others' logs ----

    private static NodeId victim(AdversaryContext power, int origin) {
        int servers = power.quorums().appservers();
        int index = power.chance().index(servers);
        boolean unfit = index == origin || index == power.self().index();
        return NodeId.appserver(unfit ? Math.floorMod(origin + 1, servers) : index);
    }

    private static Batch continued(AdversaryContext power, MerkleLog log, Entry entry) {
        Dot dot = new Dot(entry.dot().origin(), entry.dot().sequence() + 1);
        VersionVector after =
                entry.dependencies().with(dot.origin(), entry.dot().sequence());
        byte[] bytes = Codec.encode(new Entry(dot, after, entry.body()));
        MerkleLog longer = new MerkleLog();
        for (long i = 0; i < log.size(); i++) {
            longer.append(log.leaf(i));
        }
        longer.append(bytes);
        return new Batch(power.sealer().seal(new Head(dot.origin(), longer.size(), longer.root())), List.of(bytes));
    }

    // ---- Tags: to spoil them costs others time ----

    private static Rules tags(AdversaryContext power, BiFunction<Integer, Batch, Batch> change) {
        return new Rules(power)
                .on(Batch.class)
                .when(batch -> batch.tags().length > 0)
                .act((batch, due) -> due.send(change.apply(due.index(), batch)));
    }

    private static Batch bare(Batch batch) {
        return new Batch(batch.head(), batch.entries());
    }
}
