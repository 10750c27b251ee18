package org.aspas.emulab.sim.role;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Frontier;
import org.aspas.certify.message.Head;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ServerConduct;

/**
 * A server that shows the others a log of its own making in place of its core's: the core's entries in their order, with
 * entries in between that no correct server would write. Heads, batches and reports are of the made log.
 */
final class ForgedLog implements ServerConduct {
    /** What is wrong with the entries in between. */
    enum Kind {
        /** A client's request with another operation, under the signature of the first. */
        FORGED,
        /** A request of any client, entered once more; rightly signed. */
        REPLAYED,
        /** Dependencies that nobody has. */
        GHOSTS,
        /** Dependencies that never grow. */
        UNDERSTATED,
        /** Dependencies that go back. */
        BACKWARDS
    }

    private static final long RESEND = 300 * Timeline.MILLI;
    private static final int MOST_ENTRIES = 200;

    private final Power power;
    private final Kind kind;
    private final MerkleLog tree = new MerkleLog();
    private final List<byte[]> entries = new ArrayList<>();

    /** For each entry of the made log, how many of the core's own entries it holds up to there. */
    private final List<Long> places = new ArrayList<>();

    private final List<Signed<ClientSigned>> heardOf = new ArrayList<>();
    private final Map<NodeId, Long> acknowledged = new TreeMap<>();
    private VersionVector dependencies;
    private long copied;
    private long resentAt;

    ForgedLog(Power power, Kind kind) {
        this.power = power;
        this.kind = kind;
        this.dependencies = VersionVector.zero(power.quorums().appservers());
    }

    private int self() {
        return power.self().index();
    }

    // ---- Making the log ----

    private void copy(Batch batch) {
        long first = batch.head().message().size() - batch.entries().size() + 1;
        for (byte[] bytes : batch.entries()) {
            if (first == copied + 1) {
                copied++;
                Codec.decode(bytes, Entry.class).accepted().ifPresent(this::enter);
            }
            first++;
        }
    }

    private void enter(Entry entry) {
        if (!power.begun().getAsBoolean()) {
            append(entry.body(), entry.dependencies());
            heardOf.add(entry.body());
            return;
        }
        boolean injects = !heardOf.isEmpty() && power.chance().happens(kind == Kind.BACKWARDS ? 0.6 : 0.2);
        if (injects && kind != Kind.BACKWARDS) {
            inject();
        }
        append(entry.body(), kind == Kind.UNDERSTATED ? dependencies : dependencies.join(entry.dependencies()));
        if (injects && kind == Kind.BACKWARDS) {
            // Last in its batch: a version that ends there looks closed, whatever the entry before depends on.
            inject();
        }
        heardOf.add(entry.body());
    }

    private void inject() {
        Signed<ClientSigned> body = power.chance().pick(heardOf);
        int other = (self() + 1) % dependencies.size();
        switch (kind) {
            case FORGED -> append(power.chance().happens(0.5) ? forged(body) : inTheNameOfOthers(), dependencies);
            case REPLAYED -> append(body, dependencies);
            case GHOSTS -> append(body, dependencies.with(other, dependencies.get(other) + 1_000));
            case UNDERSTATED -> append(body, VersionVector.zero(dependencies.size()));
            case BACKWARDS -> append(body, dependencies.with(other, 0));
        }
    }

    /** What the client whose words were heard last never said: a hundred increments of its own counter. */
    private Signed<ClientSigned> inTheNameOfOthers() {
        Signed<ClientSigned> last = heardOf.get(heardOf.size() - 1);
        if (!(last.message() instanceof Request request) || !request.key().startsWith("counter/")) {
            return forged(last);
        }
        Request other = new Request(
                request.client(),
                request.number() + 1,
                request.key(),
                request.type(),
                Operation.of("increment", Value.of(100)));
        return new Signed<>(other, Codec.encode(other), last.signature());
    }

    private static Signed<ClientSigned> forged(Signed<ClientSigned> body) {
        if (!(body.message() instanceof Request request)) {
            return body;
        }
        Request other =
                new Request(request.client(), request.number() + 1, request.key(), request.type(), request.operation());
        return new Signed<>(other, Codec.encode(other), body.signature());
    }

    private void append(Signed<ClientSigned> body, VersionVector after) {
        long sequence = entries.size() + 1L;
        VersionVector own = after.with(self(), sequence - 1);
        byte[] bytes = Codec.encode(new Entry(new Dot(self(), sequence), own, body));
        entries.add(bytes);
        places.add(copied);
        tree.append(bytes);
        if (kind != Kind.BACKWARDS) {
            dependencies = own;
        }
    }

    private Signed<Head> head(long size) {
        return power.sealer().seal(new Head(self(), size, tree.rootAt(size)));
    }

    // ---- Showing it ----

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Batch batch) {
            if (batch.head().message().origin() == self()) {
                copy(batch);
            } else {
                exit.node(to, frame, 0);
            }
        } else if (frame instanceof Frame.Plain plain && plain.message() instanceof Frontier frontier) {
            exit.node(
                    to,
                    new Frame.Plain(new Frontier(
                            frontier.version().with(self(), entries.size()),
                            own(frontier.heads()),
                            frontier.certificate())),
                    0);
        } else if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof VertObft report) {
            exit.node(
                    to,
                    new Frame.Sealed(power.sealer()
                            .seal(new VertObft(
                                    self(), report.version().with(self(), entries.size()), own(report.heads())))),
                    0);
        } else if (!(frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Stable)) {
            exit.node(to, frame, 0);
        }
    }

    private List<Signed<Head>> own(List<Signed<Head>> heads) {
        List<Signed<Head>> shown = new ArrayList<>();
        boolean placed = entries.isEmpty();
        for (Signed<Head> head : heads) {
            if (!placed && head.message().origin() >= self()) {
                shown.add(head(entries.size()));
                placed = true;
            }
            if (head.message().origin() != self()) {
                shown.add(head);
            }
        }
        if (!placed) {
            shown.add(head(entries.size()));
        }
        return shown;
    }

    /** The core must not learn of the made log: it would take it for its own and stop. */
    @Override
    public Frame incoming(NodeId from, Frame frame) {
        if (kind == Kind.GHOSTS
                || !(frame instanceof Frame.Plain plain && plain.message() instanceof Frontier frontier)
                || frontier.version().size() != dependencies.size()) {
            return frame;
        }
        List<Signed<Head>> others = frontier.heads().stream()
                .filter(head -> head.message().origin() != self())
                .toList();
        long known = Math.min(frontier.version().get(self()), entries.size());
        long genuine = known == 0 ? 0 : places.get((int) known - 1);
        return new Frame.Plain(new Frontier(frontier.version().with(self(), genuine), others, frontier.certificate()));
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Frontier frontier) {
            if (frontier.version().size() == dependencies.size()) {
                acknowledged.put(from, frontier.version().get(self()));
            }
        } else if (frame instanceof Frame.Plain plain && plain.message() instanceof Batch batch) {
            batch.entries().stream()
                    .map(bytes -> Codec.decode(bytes, Entry.class).accepted())
                    .forEach(entry -> entry.ifPresent(known -> heardOf.add(known.body())));
        }
    }

    @Override
    public void tick(Exit exit) {
        if (power.now().getAsLong() - resentAt < RESEND || entries.isEmpty()) {
            return;
        }
        resentAt = power.now().getAsLong();
        for (int peer = 0; peer < power.quorums().appservers(); peer++) {
            NodeId to = NodeId.appserver(peer);
            long after = acknowledged.getOrDefault(to, 0L);
            if (peer != self() && after < entries.size()) {
                long end = Math.min(entries.size(), after + MOST_ENTRIES);
                exit.node(to, new Frame.Plain(new Batch(head(end), entries.subList((int) after, (int) end))), 0);
            }
        }
    }
}
