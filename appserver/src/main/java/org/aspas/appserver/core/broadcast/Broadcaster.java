package org.aspas.appserver.core.broadcast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.aspas.appserver.core.Alarm;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.Counters;
import org.aspas.appserver.core.Outbox;
import org.aspas.appserver.core.Records;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.CertifiedEntries;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Frontier;
import org.aspas.certify.message.Head;
import org.aspas.certify.message.Pull;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.VersionVector;

/**
 * Spreads entries among the appservers. Own entries go to each peer in batches, one at a time, clocked by the peer's
 * acknowledgments; what is missing of any origin is pulled from whoever has it, in turn. For one thread.
 */
public final class Broadcaster {
    private static final long PATIENCE_MILLIS = 300;
    private static final long PULL_MILLIS = 100;
    private static final long CUT_MILLIS = 50;
    private static final long SUSPICION_MILLIS = 500;

    /** What is certified and not adopted yet, to which logs can be led without the heads of their origins. */
    public interface Target {
        /** The content of the certificate that is to be adopted next, if it is here. */
        Optional<CertificateContent> next();

        /** The log of an origin is not a prefix of what is certified next. */
        void offLog(int origin);
    }

    /** What is known of another appserver. */
    private static final class Peer {
        final NodeId id;
        final PullBudget budget;
        VersionVector version;
        long certificate;
        long sent;
        long sentAt;
        boolean connected;

        Peer(NodeId id, VersionVector version, int batchBytes) {
            this.id = id;
            this.budget = new PullBudget(batchBytes);
            this.version = version;
        }
    }

    private final CoreSettings settings;
    private final Logs logs;
    private final Outbox outbox;
    private final Counters counters;
    private final Map<NodeId, Peer> peers = new TreeMap<>();
    private final long[] progressAt;
    private final long[] pulledAt;
    private VersionVector goal;
    private long cut;
    private long cutAt = Long.MIN_VALUE / 2;
    private long now;
    private long frontierAt = Long.MIN_VALUE / 2;
    private int turn;
    private final int[] turns;
    private long certificate;
    private boolean amnesia;
    private final ForkFinder finder;
    private final Consumer<Evidence> evidence;
    private final Target target;
    private final Map<Integer, Long> suspicions = new TreeMap<>();
    private final Map<Integer, Long> followed = new TreeMap<>();
    private final Set<Integer> proved = new TreeSet<>();
    private VersionVector agreed;

    /**
     * A broadcaster over logs.
     *
     * @param evidence takes what proves that somebody is faulty
     * @param target what is certified and not adopted yet
     */
    public Broadcaster(
            CoreSettings settings,
            Logs logs,
            Outbox outbox,
            Counters counters,
            Consumer<Evidence> evidence,
            Target target) {
        this.settings = settings;
        this.logs = logs;
        this.outbox = outbox;
        this.counters = counters;
        this.finder = new ForkFinder(logs);
        this.evidence = evidence;
        this.target = target;
        int servers = settings.quorums().appservers();
        this.goal = VersionVector.zero(servers);
        this.agreed = goal;
        this.progressAt = new long[servers];
        this.pulledAt = new long[servers];
        this.turns = new int[servers];
        // Time has any origin, and may be negative: what never happened lies before all of it.
        Arrays.fill(progressAt, Long.MIN_VALUE / 2);
        Arrays.fill(pulledAt, Long.MIN_VALUE / 2);
        for (NodeId peer : settings.peers()) {
            peers.put(
                    peer,
                    new Peer(
                            peer, VersionVector.zero(servers), settings.limits().maxBatchBytes()));
        }
    }

    /** Whether a peer showed own signed entries that this server lost: it must not issue any more. */
    public boolean amnesia() {
        return amnesia;
    }

    /** Sets the number of the newest certificate, which goes out with the next frontier. */
    public void certificate(long number) {
        certificate = number;
    }

    /** A connected peer that told of a certificate with this number or a higher one, another one at each call. */
    public Optional<NodeId> holderOfCertificate(long number) {
        List<Peer> holders = peers.values().stream()
                .filter(peer -> peer.connected && peer.certificate >= number)
                .toList();
        return holders.isEmpty()
                ? Optional.empty()
                : Optional.of(holders.get(Math.floorMod(turn++, holders.size())).id);
    }

    /** Says that all up to a version is wanted at once. */
    public void want(VersionVector wanted) {
        goal = goal.join(wanted);
    }

    /** Whether all is delivered and adopted that at least one correct peer must have, judged by what peers told. */
    public boolean caughtUp() {
        boolean caughtUp = told(peers.values().stream().mapToLong(peer -> peer.certificate)) <= certificate;
        for (int origin = 0; origin < progressAt.length; origin++) {
            int index = origin;
            long told = told(peers.values().stream().mapToLong(peer -> peer.version.get(index)));
            caughtUp &= cutOff(origin) || told <= logs.version().get(origin);
        }
        return caughtUp;
    }

    /** The (f+1)-th largest: f liars cannot push it beyond what a correct peer told. */
    private long told(LongStream numbers) {
        long[] ascending = numbers.sorted().toArray();
        return ascending[ascending.length - settings.quorums().oneCorrectAppserver()];
    }

    /** A link came up. */
    public void connected(NodeId id) {
        Peer peer = peers.get(id);
        if (peer != null) {
            peer.connected = true;
            peer.sent = 0;
            outbox.node(id, frontier());
        }
    }

    /** A link went down. */
    public void gone(NodeId id) {
        Peer peer = peers.get(id);
        if (peer != null) {
            peer.connected = false;
        }
    }

    /** Takes a batch from a peer; true when there are new entries. */
    public boolean batch(NodeId from, OpenBatch open) {
        Batch batch = open.batch();
        long before = sizeOf(batch);
        Acceptance acceptance = logs.accept(open);
        open.judged(acceptance, sizeOf(batch));
        counters.count("batch_" + acceptance.name().toLowerCase(Locale.ROOT));
        if (acceptance == Acceptance.FORK
                || acceptance == Acceptance.BROKEN_ENTRY
                || acceptance == Acceptance.BAD_ROOT) {
            contradiction(from, batch, acceptance);
        } else {
            follow(from, batch);
        }
        boolean added = acceptance == Acceptance.ADDED;
        if (added) {
            Head head = batch.head().message();
            progressAt[head.origin()] = now;
            int fresh = (int) (head.size() - before);
            List<byte[]> entries = batch.entries();
            outbox.persist(
                    Records.batch(new Batch(batch.head(), entries.subList(entries.size() - fresh, entries.size()))));
            counters.add("entries_received", fresh);
        }
        if (added || acceptance == Acceptance.KNOWN) {
            // An acknowledgment; heads, which show forks, go with the periodic frontiers.
            outbox.node(from, new Frontier(logs.version(), List.of(), certificate));
        }
        return added;
    }

    /** Takes entries that lead to a certified root from a peer; true when there are new ones. */
    public boolean certified(CertifiedEntries sent) {
        int origin = sent.origin();
        Optional<CertificateContent> next = target.next();
        if (next.isEmpty() || origin >= settings.quorums().appservers() || origin == settings.index()) {
            counters.count("certified_unasked");
            return false;
        }
        long before = logs.of(origin).size();
        Acceptance acceptance = logs.accept(
                sent, next.get().version().get(origin), next.get().roots().get(origin));
        counters.count("certified_" + acceptance.name().toLowerCase(Locale.ROOT));
        if (acceptance == Acceptance.OFF_LOG) {
            target.offLog(origin);
        }
        if (acceptance != Acceptance.ADDED) {
            return false;
        }
        progressAt[origin] = now;
        long fresh = logs.of(origin).size() - before;
        outbox.persist(Records.certifiedEntries(sent, before));
        counters.add("entries_received", fresh);
        return true;
    }

    /** A batch contradicts the log here, or is not to be opened from it: the proof is made, or the rest of it asked for. */
    private void contradiction(NodeId from, Batch batch, Acceptance acceptance) {
        int origin = batch.head().message().origin();
        Head head = batch.head().message();
        if (acceptance == Acceptance.FORK) {
            outbox.alarm(new Alarm.ForkedLog(origin, head.size(), head.root()));
        } else if (acceptance == Acceptance.BROKEN_ENTRY) {
            outbox.alarm(new Alarm.BrokenLog(origin, head.size(), head.root()));
        }
        if (proved.contains(origin)) {
            return;
        }
        Optional<Evidence> proof = finder.heads(batch.head()).or(() -> finder.batch(batch));
        if (proof.isPresent()) {
            proved(origin, proof.get());
        } else if (!cutOff(origin) && logs.signedByOrigin(batch.head())) {
            suspect(from, origin);
        }
    }

    /** One proof is enough: what else the origin signs is not looked into again. */
    private void proved(int origin, Evidence proof) {
        followed.remove(origin);
        if (proved.add(origin)) {
            evidence.accept(proof);
        }
    }

    /** Asks a peer for its history of an origin from where all agree, to open what contradicts the log here. */
    private void suspect(NodeId from, int origin) {
        Long before = suspicions.get(origin);
        if (before == null || now - before >= SUSPICION_MILLIS) {
            suspicions.put(origin, now);
            followed.put(origin, agreed.get(origin));
            counters.count("suspicions");
            outbox.node(from, new Pull(origin, agreed.get(origin)));
        }
    }

    /** While an origin is suspected, a batch that fits is followed by a question for what comes after it. */
    private void follow(NodeId from, Batch batch) {
        Head head = batch.head().message();
        Long followedTo = followed.get(head.origin());
        if (followedTo != null && head.size() > followedTo && head.size() < sizeOf(batch)) {
            followed.put(head.origin(), head.size());
            outbox.node(from, new Pull(head.origin(), head.size()));
        }
    }

    private boolean cutOff(int origin) {
        return logs.cuts().excludes(origin);
    }

    /** Sets the version that all servers agree on. */
    public void agreed(VersionVector certified) {
        agreed = certified;
    }

    private long sizeOf(Batch batch) {
        int origin = batch.head().message().origin();
        return origin < settings.quorums().appservers() ? logs.of(origin).size() : 0;
    }

    /** Takes a peer's frontier: an acknowledgment, and news of what it has. */
    public void frontier(NodeId from, Frontier frontier) {
        Peer peer = peers.get(from);
        if (peer == null || frontier.version().size() != settings.quorums().appservers()) {
            counters.count("refused_frontier");
            return;
        }
        peer.version = frontier.version();
        peer.certificate = Math.max(peer.certificate, frontier.certificate());
        for (Signed<Head> head : frontier.heads()) {
            judge(from, head);
        }
        pump(peer);
    }

    private void judge(NodeId from, Signed<Head> head) {
        int origin = head.message().origin();
        if (origin >= settings.quorums().appservers() || head.message().size() < 1 || cutOff(origin)) {
            return;
        }
        OriginLog log = logs.of(origin);
        boolean lost = origin == settings.index() && head.message().size() > log.size();
        boolean comparable = head.message().size() <= log.size()
                && log.headAt(head.message().size())
                        .filter(own ->
                                own.message().root().equals(head.message().root()))
                        .isEmpty();
        if (lost && !amnesia && logs.signedByOrigin(head)) {
            amnesia = true;
            outbox.alarm(new Alarm.OwnEntriesLost(head.message().size(), log.size()));
        } else if (comparable
                && origin != settings.index()
                && logs.signedByOrigin(head)
                && logs.known(log, head) == Acceptance.FORK) {
            counters.count("forks_seen");
            outbox.alarm(new Alarm.ForkedLog(
                    origin, head.message().size(), head.message().root()));
            Optional<Evidence> proof = finder.heads(head);
            proof.ifPresent(found -> proved(origin, found));
            if (!proved.contains(origin)) {
                suspect(from, origin);
            }
        }
    }

    /** Answers a question for entries; of a peer that asks for too much, nothing for a while. */
    public void pull(NodeId from, Pull pull) {
        Peer peer = peers.get(from);
        if (peer == null
                || pull.origin() < 0
                || pull.origin() >= settings.quorums().appservers()) {
            counters.count("refused_pull");
            return;
        }
        if (outbox.full(settings.limits().maxUnanswered()) || !peer.budget.ask(now)) {
            counters.count("refused_pull_over_budget");
            return;
        }
        if (pull.certified() > 0) {
            logs.certifiedAfter(pull.origin(), pull.after(), pull.certified()).forEach(answer -> {
                peer.budget.spend(answer.entries());
                outbox.node(from, answer);
            });
        } else {
            logs.batchesAfter(pull.origin(), pull.after()).forEach(answer -> {
                peer.budget.spend(answer.entries());
                outbox.node(from, answer);
            });
        }
    }

    /** Sends what is due. */
    public void tick(long nowMillis) {
        now = nowMillis;
        if (now - cutAt >= CUT_MILLIS) {
            cutNow();
        }
        for (Peer peer : peers.values()) {
            boolean open = peer.version.get(settings.index()) < peer.sent;
            if (open && now - peer.sentAt > settings.limits().repeatMillis()) {
                peer.sent = 0;
                counters.count("batches_repeated");
            }
            pump(peer);
        }
        if (now - frontierAt >= settings.limits().frontierMillis()) {
            frontierAt = now;
            Frontier frontier = frontier();
            connectedPeers().forEach(peer -> outbox.node(peer.id, frontier));
            logs.provedByWrongBranches()
                    .forEach(proof -> proved(proof.one().head().message().origin(), proof));
        }
        pullMissing();
    }

    /** Cuts a batch early when many entries have come since the last. */
    public void appended() {
        if (logs.own().size() - cut >= settings.limits().maxBatchEntries() / 8 + 1) {
            cutNow();
            peers.values().forEach(this::pump);
        }
    }

    private void cutNow() {
        if (logs.own().size() > cut) {
            logs.cutOwn();
            cut = logs.own().size();
            cutAt = now;
        }
    }

    private void pump(Peer peer) {
        long acknowledged = peer.version.get(settings.index());
        boolean idle = peer.sent == 0 || acknowledged >= peer.sent;
        if (!peer.connected || !idle || acknowledged >= cut) {
            return;
        }
        logs.batchAfter(settings.index(), acknowledged).ifPresent(batch -> {
            peer.sent = batch.head().message().size();
            peer.sentAt = now;
            outbox.node(peer.id, batch);
            counters.count("batches_sent");
        });
    }

    private void pullMissing() {
        for (int origin = 0; origin < progressAt.length; origin++) {
            long held = logs.of(origin).size();
            boolean patient = now - progressAt[origin] < PATIENCE_MILLIS && goal.get(origin) <= held;
            if (origin == settings.index() || cutOff(origin) || patient || now - pulledAt[origin] < PULL_MILLIS) {
                continue;
            }
            pullFromSomebody(origin, held);
        }
    }

    /** What is certified is asked for by its certified size, where somebody has all of that; else what has a head. */
    private void pullFromSomebody(int origin, long held) {
        long certifiedSize =
                target.next().map(content -> content.version().get(origin)).orElse(0L);
        List<Peer> holders = certifiedSize > held ? holders(origin, certifiedSize) : List.of();
        if (!holders.isEmpty()) {
            pull(origin, holders, new Pull(origin, held, certifiedSize));
        } else if (!logs.repairing(origin)) {
            pull(origin, holders(origin, held + 1), new Pull(origin, held));
        }
    }

    private void pull(int origin, List<Peer> holders, Pull pull) {
        if (!holders.isEmpty()) {
            pulledAt[origin] = now;
            // Each origin has its own turn: with one for all, two origins could for ever ask the same two peers.
            Peer chosen = holders.get(Math.floorMod(turns[origin]++, holders.size()));
            outbox.node(chosen.id, pull);
            counters.count("pulls_sent");
        }
    }

    private List<Peer> holders(int origin, long size) {
        return connectedPeers().stream()
                .filter(peer -> peer.version.get(origin) >= size)
                .toList();
    }

    private List<Peer> connectedPeers() {
        return peers.values().stream().filter(peer -> peer.connected).toList();
    }

    private Frontier frontier() {
        List<Signed<Head>> heads = new ArrayList<>();
        for (int origin = 0; origin < progressAt.length; origin++) {
            logs.of(origin).newestHead().ifPresent(heads::add);
        }
        return new Frontier(logs.version(), heads, certificate);
    }
}
