package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server that shows the others a log of its own making in place of its core's: the core's entries in their order, with
 * entries in between, or dependencies, that no correct server would write. Heads, batches and reports are of the made log.
 */
final class ForgedLog implements ByzantineBehavior {
    /** What is wrong with the entries in between, or with all. */
    enum Kind {
        /** A client's request with another operation, under the signature of the first. */
        FORGED,
        /** A request of any client, entered once more; rightly signed. */
        REPLAYED,
        /** Dependencies that nobody has; when it has begun, ever more such entries. */
        GHOSTS,
        /** Dependencies that never grow. */
        UNDERSTATED,
        /** Dependencies that grow by the entries of one other origin only, whatever these depend on. */
        NARROW,
        /** Dependencies that go back. */
        BACKWARDS,
        /**
         * As {@link #FORGED}, once: it is the last entry of the log, and clients get no answer to what came after the ones
         * before it. So nothing but the entry itself proves anything.
         */
        LAST,
        /** Entries that their signatures do not make genuine, with tags. */
        TAGGED,
        /**
         * Requests to remove that came from another origin, entered once more, rightly signed, with dependencies that do not cover what
         * the client had seen. What it has of that origin it gives to nobody, so that the copies are first.
         */
        COPIES
    }

    private static final long RESEND = 300 * Timeline.MILLI;
    private static final int MOST_ENTRIES = 200;
    private static final int GHOSTS_AT_ONCE = 60;
    private static final int FORGED_AT_ONCE = 2;
    private static final int MOST_GHOSTS = 2_000;

    /** At the latest after so many entries that clients had an answer to, the log ends. */
    private static final long MOST_ANSWERED = 20;

    private final AdversaryContext context;
    private final Kind kind;
    private final MadeLog made;
    private final @Nullable TaggedForgeries tagged;

    /** For each entry of the made log, how many of the core's own entries it holds up to there. */
    private final List<Long> places = new ArrayList<>();

    private final List<Signed<ClientSigned>> heardOf = new ArrayList<>();
    private final Map<NodeId, Long> acknowledged = new TreeMap<>();
    private final Map<NodeId, Long> shown = new TreeMap<>();
    private VersionVector dependencies;
    private long copied;
    private long answered;
    private boolean ending;
    private boolean ended;
    private long resentAt;

    ForgedLog(AdversaryContext context, Kind kind) {
        this(context, kind, null);
    }

    ForgedLog(AdversaryContext context, Kind kind, @Nullable TaggedForgeries tagged) {
        this.tagged = tagged;
        this.context = context;
        this.kind = kind;
        this.made = new MadeLog(context);
        this.dependencies = VersionVector.zero(context.quorums().appservers());
    }

    private int self() {
        return context.self().index();
    }

    // ---- Making the log ----

    private void copy(Batch batch) {
        long first = batch.head().message().size() - batch.entries().size() + 1;
        for (byte[] bytes : batch.entries()) {
            if (first == copied + 1 && !(ending && copied >= answered)) {
                copied++;
                Codec.decode(bytes, Entry.class).accepted().ifPresent(this::enter);
            }
            first++;
        }
    }

    private void enter(Entry entry) {
        if (!context.begun().getAsBoolean()) {
            append(entry.body(), entry.dependencies());
            heardOf.add(entry.body());
            return;
        }
        boolean injects = kind != Kind.NARROW
                && kind != Kind.LAST
                && kind != Kind.TAGGED
                && kind != Kind.COPIES
                && !heardOf.isEmpty()
                && context.chance().happens(kind == Kind.BACKWARDS ? 0.6 : 0.2);
        if (injects && kind != Kind.BACKWARDS) {
            inject();
        }
        append(entry.body(), claimed(entry.dependencies()));
        if (injects && kind == Kind.BACKWARDS) {
            // Last in its batch: a version that ends there looks closed, whatever the entry before depends on.
            inject();
        }
        heardOf.add(entry.body());
    }

    /** What the made log names of what the core had seen. */
    private VersionVector claimed(VersionVector seen) {
        int named = (self() + 2) % dependencies.size();
        return switch (kind) {
            case UNDERSTATED, COPIES -> dependencies;
            case NARROW -> dependencies.with(named, Math.max(dependencies.get(named), seen.get(named)));
            default -> dependencies.join(seen);
        };
    }

    private void inject() {
        Signed<ClientSigned> body = context.chance().pick(heardOf);
        int other = (self() + 1) % dependencies.size();
        switch (kind) {
            case FORGED -> append(context.chance().happens(0.5) ? forged(body) : inTheNameOfOthers(), dependencies);
            case REPLAYED -> append(body, dependencies);
            case GHOSTS -> append(body, dependencies.with(other, dependencies.get(other) + 1_000));
            case UNDERSTATED -> append(body, VersionVector.zero(dependencies.size()));
            case BACKWARDS -> append(body, dependencies.with(other, 0));
            case NARROW, LAST, TAGGED, COPIES -> throw new IllegalStateException(kind + " injects nothing");
        }
    }

    /** Whether an answer still leaves: of a log that is to end, no answer to an entry that it will not hold. */
    private boolean leaves(Message message) {
        Dot dot = message instanceof Answer answer ? answer.response().message().dot() : null;
        if ((kind == Kind.TAGGED || kind == Kind.COPIES) && context.begun().getAsBoolean()) {
            return dot == null; // Its answers would contradict its log, and prove that.
        }
        if (kind != Kind.LAST || !context.begun().getAsBoolean()) {
            answered = dot == null ? answered : Math.max(answered, dot.sequence());
            return true;
        }
        boolean due = context.chance().happens(0.2) || answered >= MOST_ANSWERED;
        if (!ending && dot != null && due && !requests().isEmpty()) {
            ending = true;
        } else if (!ending && dot != null) {
            answered = Math.max(answered, dot.sequence());
        }
        return !ending;
    }

    private List<Signed<ClientSigned>> requests() {
        return heardOf.stream()
                .filter(body -> body.message() instanceof Request)
                .toList();
    }

    private void end() {
        if (ending && !ended && copied >= answered) {
            append(forged(context.chance().pick(requests())), dependencies);
            ended = true;
        }
    }

    /** What the client whose words were heard last never said: a hundred increments of its own counter. */
    private Signed<ClientSigned> inTheNameOfOthers() {
        Signed<ClientSigned> last = heardOf.get(heardOf.size() - 1);
        if (!(last.message() instanceof Request request) || !request.key().startsWith("counter/")) {
            return forged(last);
        }
        return next(last, request, Operation.of("increment", Value.of(100)));
    }

    private static Signed<ClientSigned> forged(Signed<ClientSigned> body) {
        if (!(body.message() instanceof Request request)) {
            return body;
        }
        return next(body, request, request.operation());
    }

    /** A client's next update as it never signed it, under the signature of another one. */
    private static Signed<ClientSigned> next(Signed<ClientSigned> body, Request request, Operation operation) {
        Request other = new Request(request.client(), request.number() + 1, request.key(), request.type(), operation);
        return new Signed<>(other, Codec.encode(other), body.signature());
    }

    private void append(Signed<ClientSigned> body, VersionVector after) {
        VersionVector own = made.append(body, after);
        places.add(copied);
        if (kind != Kind.BACKWARDS) {
            dependencies = own;
        }
    }

    // ---- Showing it ----

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        if (leaves(message)) {
            exit.client(connection, message);
        }
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        if (frame.message() instanceof Batch batch) {
            if (batch.head().message().origin() == self()) {
                copy(batch);
            } else if (kind != Kind.COPIES) {
                exit.node(to, frame, 0);
            }
        } else if (frame.message() instanceof Frontier frontier) {
            VersionVector version = frontier.version().with(self(), made.size());
            exit.node(to, context.frame(with(frontier, "version", version, "heads", own(frontier.heads()))), 0);
        } else if (frame.message() instanceof VertObft report) {
            VersionVector version = report.version().with(self(), made.size());
            exit.node(to, context.frame(with(report, "version", version, "heads", own(report.heads()))), 0);
        } else if (!(frame.message() instanceof Stable)) {
            exit.node(to, frame, 0);
        }
    }

    private List<Signed<Head>> own(List<Signed<Head>> heads) {
        List<Signed<Head>> shown = new ArrayList<>();
        boolean placed = made.size() == 0;
        for (Signed<Head> head : heads) {
            if (!placed && head.message().origin() >= self()) {
                shown.add(made.head(made.size()));
                placed = true;
            }
            if (head.message().origin() != self()) {
                shown.add(head);
            }
        }
        if (!placed) {
            shown.add(made.head(made.size()));
        }
        return shown;
    }

    /** The core must not learn of the made log: it would take it for its own and stop. */
    @Override
    public Frame incoming(NodeId from, Frame frame) {
        if (kind == Kind.GHOSTS
                || !(frame.message() instanceof Frontier frontier)
                || frontier.version().size() != dependencies.size()) {
            return frame;
        }
        List<Signed<Head>> others = frontier.heads().stream()
                .filter(head -> head.message().origin() != self())
                .toList();
        long known = Math.min(frontier.version().get(self()), made.size());
        long genuine = known == 0 ? 0 : places.get((int) known - 1);
        return new Frame.Plain(with(frontier, "version", frontier.version().with(self(), genuine), "heads", others));
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        if (frame.message() instanceof Frontier frontier) {
            if (frontier.version().size() == dependencies.size()) {
                acknowledged.put(from, frontier.version().get(self()));
            }
        } else if (frame.message() instanceof Batch batch) {
            List<Signed<ClientSigned>> bodies = batch.entries().stream()
                    .flatMap(bytes -> Codec.decode(bytes, Entry.class).accepted().stream())
                    .map(Entry::body)
                    .toList();
            long before = made.size();
            bodies.stream().filter(this::isToBeCopied).forEach(body -> append(body, dependencies));
            heardOf.addAll(bodies);
            // Only news is shown at once, because two such liars that answered every batch would answer each other for
            // ever.
            if (made.size() > before) {
                show(exit);
            }
        }
    }

    private boolean isToBeCopied(Signed<ClientSigned> body) {
        return kind == Kind.COPIES
                && context.begun().getAsBoolean()
                && body.message() instanceof Request request
                && request.operation().name().equals("remove")
                && !heardOf.contains(body);
    }

    /** Fills what its peers keep for it with entries that can never be delivered, and so are never acknowledged. */
    private void hoard() {
        boolean begun = kind == Kind.GHOSTS && context.begun().getAsBoolean() && !heardOf.isEmpty();
        for (int i = 0; begun && i < GHOSTS_AT_ONCE && made.size() < MOST_GHOSTS; i++) {
            inject();
        }
    }

    private long after(NodeId peer) {
        long known = acknowledged.getOrDefault(peer, 0L);
        long sent = shown.getOrDefault(peer, 0L);
        return kind == Kind.GHOSTS && known < sent && sent < made.size() ? sent : known;
    }

    @Override
    public void tick(Exit exit) {
        if (context.now().getAsLong() - resentAt < RESEND || made.size() == 0) {
            return;
        }
        resentAt = context.now().getAsLong();
        TaggedForgeries forgeries = tagged;
        for (int i = 0; forgeries != null && i < FORGED_AT_ONCE; i++) {
            forgeries.next(heardOf).forEach(body -> append(body, dependencies));
        }
        end();
        hoard();
        show(exit);
    }

    private void show(Exit exit) {
        TaggedForgeries forgeries = tagged;
        for (NodeId to : context.peers()) {
            long after = after(to);
            if (after < made.size()) {
                long end = Math.min(made.size(), after + MOST_ENTRIES);
                Batch batch = made.batch(after, end);
                exit.node(to, new Frame.Plain(forgeries == null ? batch : forgeries.tagged(batch, to.index())), 0);
                shown.put(to, end);
            }
        }
    }

    /** Entries whose tags are right and whose signatures are not: what a server enters with the secrets of a client's session. */
    static final class TaggedForgeries {
        enum Forgery {
            /** Of a colluding client; the tags are right for some servers, drawn once. */
            FOR_SOME,
            /** Of a colluding client; the tags are right for all. */
            FOR_ALL,
            /** Of a correct client at another server, by its stolen secret, which counts in that one's log only. */
            STOLEN,
            /** As {@link #FOR_ALL}: several contents under each number, of which the client signs two others elsewhere. */
            BODYGUARD
        }

        /** Of so many updates first the signatures are right, too: servers derive a secret for the fifth tag. */
        static final int HONEST = 6;

        private static final int MOST_NUMBERS = 20;
        private static final int OTHER_AMOUNTS = 10;
        /** A number is guarded in one of so many calls: for as long as the client gives its own contents. */
        private static final int ROUNDS = 8;
        /** Above those of the sessions that this client opens elsewhere. */
        private static final long FIRST_SESSION = 1_000_000;

        private final AdversaryContext context;
        private final Forgery kind;
        private final Colluder client;
        private final Set<Integer> fooled = new TreeSet<>();
        private final boolean garbage;
        private final Map<ClientId, RequestTags> stolen = new HashMap<>();
        private long number;
        private int round;
        private boolean open;

        TaggedForgeries(AdversaryContext context, Forgery kind) {
            this.context = context;
            this.kind = kind;
            ClientId everybody = new ClientId(context.collusion().client().publicKey());
            ClientId own = new ClientId(everybody.key(), 1, context.self().index());
            this.client =
                    new Colluder(context, context.collusion().client(), kind == Forgery.BODYGUARD ? everybody : own);
            this.garbage = context.chance().happens(0.5);
            int f = context.quorums().f();
            int servers = context.quorums().appservers();
            int count = kind == Forgery.FOR_SOME ? context.chance().pick(List.of(1, f, f + 1, 2 * f)) : servers;
            List<Integer> others = IntStream.range(0, servers)
                    .filter(server -> server != context.self().index())
                    .boxed()
                    .toList();
            fooled.addAll(context.chance().shuffled(others).subList(0, Math.min(count, others.size())));
        }

        /** What the log gets next, given what clients said so far. */
        List<Signed<ClientSigned>> next(List<Signed<ClientSigned>> heard) {
            if (kind == Forgery.STOLEN) {
                return theft(heard);
            }
            if (!open) {
                open = true;
                return List.of(client.open(
                        FIRST_SESSION + context.self().index(), context.self().index()));
            }
            if (number >= MOST_NUMBERS) {
                return List.of();
            }
            if (kind == Forgery.BODYGUARD && number >= HONEST && round++ % ROUNDS != 0) {
                return List.of();
            }
            number++;
            return kind == Forgery.BODYGUARD && number > HONEST ? guards() : forgery();
        }

        /** Contents that nobody signed; those of the client itself are others. */
        private List<Signed<ClientSigned>> guards() {
            int guards = context.chance().pick(List.of(1, 3, OTHER_AMOUNTS));
            return IntStream.range(0, guards)
                    .mapToObj(i -> Colluder.forged(context, client.update(number, OTHER_AMOUNTS + i)))
                    .toList();
        }

        private List<Signed<ClientSigned>> forgery() {
            Signed<ClientSigned> right = client.update(number, 1);
            Signed<ClientSigned> forged = Colluder.forged(context, right);
            return number <= HONEST
                    ? List.of(right)
                    : context.chance()
                            .pick(List.of(List.of(forged), List.of(forged), List.of(right), List.of(forged, right)));
        }

        /** The next update of a client of another server, as it never signed it; now and then with its session record before it. */
        private List<Signed<ClientSigned>> theft(List<Signed<ClientSigned>> heard) {
            List<Signed<ClientSigned>> made = new ArrayList<>();
            Signed<ClientSigned> session =
                    heard.isEmpty() ? null : context.chance().pick(heard);
            if (session != null && session.message() instanceof OpenSession record && steal(record, session)) {
                if (context.chance().happens(0.3)) {
                    made.add(session);
                }
                heard.stream()
                        .map(Signed::message)
                        .filter(said -> said instanceof Request && said.client().equals(record.client()))
                        .map(Request.class::cast)
                        .reduce((first, last) -> last)
                        .map(last -> new Request(
                                last.client(), last.number() + 1, last.key(), last.type(), last.operation()))
                        .ifPresent(next -> made.add(new Signed<>(
                                next, Codec.encode(next), context.chance().bytes(session.signature().length))));
            }
            return made;
        }

        private boolean steal(OpenSession record, Signed<ClientSigned> session) {
            OpenSession.Share share = record.share();
            if (share == null || share.home() == context.self().index()) {
                return false;
            }
            Optional<AgreementKey> key = context.collusion().stolen().apply(share.key());
            key.ifPresent(known -> stolen.put(
                    record.client(),
                    RequestTags.of(
                            known,
                            context.collusion().servers(),
                            context.sealer().deployment(),
                            session.identity())));
            return key.isPresent();
        }

        /** A batch of the log with its tags for a server. */
        Batch tagged(Batch batch, int server) {
            byte[] all = new byte[batch.entries().size() * TaggedRequest.TAG_BYTES];
            for (int place = 0; place < batch.entries().size(); place++) {
                byte[] tags = Codec.decode(batch.entries().get(place), Entry.class)
                        .accepted()
                        .map(entry -> tags(entry.body(), server))
                        .orElse(new byte[0]);
                int from = server * TaggedRequest.TAG_BYTES;
                if (tags.length >= from + TaggedRequest.TAG_BYTES) {
                    int to = place * TaggedRequest.TAG_BYTES;
                    System.arraycopy(tags, from, all, to, TaggedRequest.TAG_BYTES);
                }
            }
            return batch.tagged(all);
        }

        private byte[] tags(Signed<ClientSigned> body, int server) {
            if (!(body.message() instanceof Request request)) {
                return new byte[0];
            }
            RequestTags known = stolen.get(request.client());
            if (known != null) {
                return known.of(body);
            }
            byte[] right = request.client().equals(client.self()) ? client.tags(body) : new byte[0];
            if (fooled.contains(server)) {
                return right;
            }
            return garbage ? context.chance().bytes(right.length) : new byte[0];
        }
    }

    /** A log of a liar's own making, in place of the one that its core keeps, with heads that it signs. */
    static final class MadeLog {
        private final AdversaryContext context;
        private final MerkleLog tree = new MerkleLog();
        private final List<byte[]> entries = new ArrayList<>();

        MadeLog(AdversaryContext context) {
            this.context = context;
        }

        int self() {
            return context.self().index();
        }

        long size() {
            return entries.size();
        }

        /**
         * Appends an entry.
         *
         * @param dependencies of the entry, but for the own component, which is the size before
         * @return the entry's dependencies
         */
        VersionVector append(Signed<ClientSigned> body, VersionVector dependencies) {
            VersionVector own = dependencies.with(self(), size());
            byte[] bytes = Codec.encode(new Entry(new Dot(self(), size() + 1), own, body));
            entries.add(bytes);
            tree.append(bytes);
            return own;
        }

        /** The signed head at a size that the log has. */
        Signed<Head> head(long size) {
            return context.sealer().seal(new Head(self(), size, tree.rootAt(size)));
        }

        /** The entries after a place up to another one that the log has. */
        Batch batch(long after, long end) {
            return new Batch(head(end), entries.subList((int) after, (int) end));
        }
    }
}
