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
                context -> new Rules(context)
                        .on(Message.class)
                        .to(CLIENTS)
                        .unsigned()
                        .act((message, due) -> {
                            due.pass();
                            if (context.chance().happens(0.05)) {
                                due.bytes().accept(anyBytes(context));
                            }
                        })
                        .onTick(exit -> exit.nodeBytes(anyNode(context), anyBytes(context))));
        server(
                "mutating",
                "changes bytes in its own frames",
                context -> new Rules(context)
                        .on(Message.class)
                        .to(APPSERVERS, BFTSERVERS)
                        .sometimes(0.3)
                        .act((message, due) -> due.bytes().accept(mutated(context, due.encoded())))
                        .on(Message.class)
                        .to(CLIENTS)
                        .unsigned()
                        .sometimes(0.1)
                        .act((message, due) -> due.bytes().accept(mutated(context, due.encoded()))));
        server("replaying", "sends anybody old frames of its own and of others", context -> {
            List<Frame> old = new ArrayList<>();
            return new Rules(context)
                    .on(Message.class)
                    .to(APPSERVERS, BFTSERVERS)
                    .act((message, due) -> {
                        context.chance().keep(old, due.frame(), REMEMBERED);
                        due.pass();
                    })
                    .onHeard(Message.class, (message, heard) -> context.chance().keep(old, heard.frame(), REMEMBERED))
                    .onTick(exit -> {
                        if (!old.isEmpty()) {
                            exit.node(anyNode(context), context.chance().pick(old), 0);
                        }
                    });
        });
        server("flooding", "asks appservers without end, and reports to bftservers", context -> {
            int self = context.self().index();
            int servers = context.quorums().appservers();
            AtomicLong reports = new AtomicLong();
            return new Rules(context).onTick(exit -> {
                for (int i = 0; i < FLOOD; i++) {
                    NodeId to = NodeId.bftserver(
                            context.chance().index(context.quorums().bftservers()));
                    VersionVector version = VersionVector.zero(servers).with(self, reports.incrementAndGet());
                    exit.node(to, context.frame(new VertObft(self, version, List.of())), 0);
                }
                for (int i = 0; i < FLOOD; i++) {
                    NodeId to = NodeId.appserver(context.chance().index(servers));
                    if (!to.equals(context.self())) {
                        Message question = context.chance().happens(0.5)
                                ? new Pull(context.chance().index(servers), 0)
                                : new GetCertificate(
                                        new CertificateNumber(context.chance().between(0, 50)));
                        exit.node(to, new Frame.Plain(question), 0);
                    }
                }
            });
        });
        server("impersonating", "continues the logs of others under its own signature", context -> {
            Map<Integer, MerkleLog> logs = new TreeMap<>();
            Map<Integer, Entry> last = new TreeMap<>();
            return new Rules(context).onHeard(Batch.class, (batch, heard) -> {
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
                        && context.begun().getAsBoolean()
                        && context.chance().happens(0.3)) {
                    Dot dot = entry.dot();
                    MerkleLog known = logs.getOrDefault(dot.origin(), new MerkleLog());
                    heard.exit()
                            .node(victim(context, dot.origin()), new Frame.Plain(continued(context, known, entry)), 0);
                }
            });
        });
        server("stripped-tags", "gives batches without their tags, to all appservers or all but one", context -> {
            int served = context.chance().happens(0.5)
                    ? -1
                    : context.chance().index(context.quorums().appservers());
            return tags(context, (to, batch) -> to == served ? batch : bare(batch));
        });
        server(
                "garbled-tags",
                "gives batches with wrong tags, or tags at other entries",
                context -> tags(context, (to, batch) -> {
                    byte[] tags = batch.tags();
                    int rest = tags.length - TaggedRequest.TAG_BYTES;
                    if (rest == 0 || context.chance().happens(0.5)) {
                        return batch.tagged(context.chance().bytes(tags.length));
                    }
                    byte[] turned = new byte[tags.length];
                    System.arraycopy(tags, TaggedRequest.TAG_BYTES, turned, 0, rest);
                    System.arraycopy(tags, 0, turned, rest, TaggedRequest.TAG_BYTES);
                    return batch.tagged(turned);
                }));
        server(
                "relayed-without-tags",
                "gives others' batches to all appservers at once, without tags",
                context -> new Rules(context).onHeard(Batch.class, (batch, heard) -> {
                    if (batch.head().message().origin() == heard.from().index()) {
                        context.peers().stream()
                                .filter(peer -> peer.index() != heard.from().index())
                                .forEach(peer -> heard.exit().node(peer, new Frame.Plain(bare(batch)), 0));
                    }
                }));
    }

    private static NodeId anyNode(AdversaryContext context) {
        int servers = context.quorums().appservers();
        int index = context.chance().index(servers + context.quorums().bftservers());
        NodeId node = index < servers ? NodeId.appserver(index) : NodeId.bftserver(index - servers);
        return node.equals(context.self()) ? NodeId.bftserver(0) : node;
    }

    private static byte[] anyBytes(AdversaryContext context) {
        return context.chance().bytes(1 + context.chance().index(MOST_BYTES));
    }

    /** The bytes with a few of them changed, or shorter, or longer. */
    static byte[] mutated(AdversaryContext context, byte[] bytes) {
        int how = context.chance().index(6);
        if (how == 0 || bytes.length < 2) {
            return Arrays.copyOf(bytes, bytes.length + 1 + context.chance().index(8));
        }
        if (how == 1) {
            return Arrays.copyOf(bytes, context.chance().index(bytes.length));
        }
        byte[] changed = bytes.clone();
        for (int i = 0; i <= context.chance().index(3); i++) {
            int place = context.chance().index(changed.length);
            changed[place] = context.chance().happens(0.5)
                    ? (byte) (changed[place] + (context.chance().happens(0.5) ? 1 : -1))
                    : (byte) context.chance().index(256);
        }
        return changed;
    }

    // ---- Others' logs ----

    private static NodeId victim(AdversaryContext context, int origin) {
        int servers = context.quorums().appservers();
        int index = context.chance().index(servers);
        boolean unfit = index == origin || index == context.self().index();
        return NodeId.appserver(unfit ? Math.floorMod(origin + 1, servers) : index);
    }

    private static Batch continued(AdversaryContext context, MerkleLog log, Entry entry) {
        Dot dot = new Dot(entry.dot().origin(), entry.dot().sequence() + 1);
        VersionVector after =
                entry.dependencies().with(dot.origin(), entry.dot().sequence());
        byte[] bytes = Codec.encode(new Entry(dot, after, entry.body()));
        MerkleLog longer = new MerkleLog();
        for (long i = 0; i < log.size(); i++) {
            longer.append(log.leaf(i));
        }
        longer.append(bytes);
        return new Batch(context.sealer().seal(new Head(dot.origin(), longer.size(), longer.root())), List.of(bytes));
    }

    // ---- Tags: to spoil them costs others time ----

    private static Rules tags(AdversaryContext context, BiFunction<Integer, Batch, Batch> change) {
        return new Rules(context)
                .on(Batch.class)
                .when(batch -> batch.tags().length > 0)
                .act((batch, due) -> due.send(change.apply(due.index(), batch)));
    }

    private static Batch bare(Batch batch) {
        return new Batch(batch.head(), batch.entries());
    }
}
