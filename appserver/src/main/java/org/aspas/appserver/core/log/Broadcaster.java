package org.aspas.appserver.core.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.aspas.appserver.core.log.PeerTable.Peer;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * Spreads entries among the appservers: takes the peers' messages, and sends what is due. What it finds out is returned, for
 * others to act on: new entries of the logs, and evidence. For one thread.
 */
public final class Broadcaster extends CorePart {
    /**
     * What became of a batch.
     *
     * @param size how many entries of the origin are accepted now; 0 for no such origin
     * @param proof what it proves together with the log here
     */
    public record Judged(BatchOutcome outcome, long size, Optional<Evidence> proof) {}

    /** So many questions for entries cost a peer as much as a full batch, even if nothing comes of them. */
    private static final long QUESTIONS_PER_BATCH = 64;

    /** How many rounds of anti-entropy pass before a frontier is sent again in which nothing is new. */
    private static final long KNOWN_FRONTIERS = 8;

    private final Logs logs;
    private final EntryIntake intake;
    private final LogBatches batches;
    private final PeerTable peers;
    private final OwnBatches own;
    private final EntryPuller puller;
    private final ForkWatch forks;
    private long frontierAt = Long.MIN_VALUE / 2;
    private CertificateNumber certificate = CertificateNumber.NONE;
    private @Nullable Frontier told;
    private long toldAt;

    public Broadcaster(CoreState context, Logs logs, EntryIntake intake) {
        super(context);
        this.logs = logs;
        this.intake = intake;
        this.batches = new LogBatches(context.settings(), logs);
        this.peers = new PeerTable(context.settings());
        this.own = new OwnBatches(context, logs, batches, peers);
        this.puller = new EntryPuller(context, logs, peers);
        this.forks = new ForkWatch(context, logs, intake, new Amnesia(context, logs));
    }

    /** A certificate was adopted: its number goes out with the next frontier, and all servers agree on its version. */
    public void adopted(CertificateNumber number, VersionVector version) {
        certificate = number;
        forks.agreed(version);
        logs.ownTags().forget(version.get(settings.index()));
    }

    /** A connected peer that told of a certificate with this number or a higher one, another one at each call. */
    public Optional<NodeId> holderOfCertificate(CertificateNumber number) {
        return peers.holderOfCertificate(number);
    }

    /** Whether a peer told of a certificate with this number or a higher one. */
    public boolean toldOf(NodeId peer, CertificateNumber number) {
        return peers.find(peer)
                .filter(known -> !number.isAfter(known.certificate))
                .isPresent();
    }

    /** Says that all up to a version is wanted at once. */
    public void want(VersionVector wanted) {
        puller.want(wanted);
    }

    /** Whether all is delivered and adopted that at least one correct peer must have, judged by what peers told. */
    public boolean caughtUp() {
        boolean caughtUp = !peers.certificateOfACorrectPeer().isAfter(certificate);
        for (int origin = 0; origin < logs.origins(); origin++) {
            caughtUp &= logs.cuts().excludes(origin)
                    || peers.entriesOfACorrectPeer(origin) <= logs.version().get(origin);
        }
        return caughtUp;
    }

    public void connected(NodeId id) {
        peers.find(id).ifPresent(peer -> {
            peer.connected = true;
            peer.sent = 0;
            outbox.node(id, frontier());
        });
    }

    public void gone(NodeId id) {
        peers.find(id).ifPresent(peer -> peer.connected = false);
    }

    public Judged batch(NodeId from, OpenBatch open) {
        Batch batch = open.batch();
        Head head = batch.head().message();
        long before = sizeOf(head.origin());
        BatchOutcome outcome = intake.accept(open);
        counters.count("batch_" + outcome.name().toLowerCase(Locale.ROOT));
        Optional<Evidence> proof = Optional.empty();
        if (outcome == BatchOutcome.FORK || outcome == BatchOutcome.BROKEN_ENTRY || outcome == BatchOutcome.BAD_ROOT) {
            proof = forks.contradicted(from, batch, outcome);
        } else {
            forks.fitted(from, head);
        }
        if (outcome == BatchOutcome.ADDED) {
            int fresh = (int) (head.size() - before);
            List<byte[]> entries = batch.entries();
            progressed(
                    head.origin(),
                    fresh,
                    Records.batch(new Batch(batch.head(), entries.subList(entries.size() - fresh, entries.size()))));
        }
        if (outcome == BatchOutcome.ADDED || outcome == BatchOutcome.KNOWN || outcome == BatchOutcome.PRUNED) {
            // An acknowledgment; heads, which show forks, go with the periodic frontiers.
            outbox.node(from, new Frontier(logs.version(), List.of(), certificate));
        }
        return new Judged(outcome, sizeOf(head.origin()), proof);
    }

    private long sizeOf(int origin) {
        return origin < logs.origins() ? logs.of(origin).size() : 0;
    }

    private void progressed(int origin, long fresh, byte[] record) {
        puller.progressed(origin);
        outbox.persist(record);
        counters.add("entries_received", fresh);
    }

    /**
     * Takes entries that lead to a certified root from a peer.
     *
     * @param next the content of the certificate that is to be adopted next, if it is here
     */
    public BatchOutcome certified(CertifiedEntries sent, Optional<CertificateContent> next) {
        int origin = sent.origin();
        boolean asked = next.isPresent() && origin < logs.origins() && !logs.madeHere(origin);
        long before = sizeOf(origin);
        BatchOutcome outcome = asked ? certified(sent, next.get()) : BatchOutcome.UNASKED;
        counters.count("certified_" + outcome.name().toLowerCase(Locale.ROOT));
        if (outcome == BatchOutcome.ADDED) {
            progressed(origin, sizeOf(origin) - before, Records.certifiedEntries(sent, before));
        }
        return outcome;
    }

    private BatchOutcome certified(CertifiedEntries sent, CertificateContent next) {
        return intake.accept(
                sent, next.version().get(sent.origin()), next.roots().get(sent.origin()));
    }

    /** Takes a peer's frontier: an acknowledgment, and news of what it has. Gives what its heads prove. */
    public List<Evidence> frontier(NodeId from, Frontier frontier) {
        Optional<Peer> peer = peers.find(from);
        if (peer.isEmpty() || frontier.version().size() != logs.origins()) {
            counters.count("refused_frontier");
            return List.of();
        }
        peers.told(peer.get(), frontier, settings.index(), time.now());
        List<Evidence> proofs = new ArrayList<>();
        for (Signed<Head> head : frontier.heads()) {
            forks.compared(from, head).ifPresent(proofs::add);
        }
        return proofs;
    }

    /** Sends a peer what it lacks of the own log, once its frontier was taken. */
    public void send(NodeId to) {
        peers.find(to).ifPresent(own::send);
    }

    /** Answers a question for entries; of a peer that asks for too much, nothing for a while. */
    public void answer(NodeId from, Pull pull) {
        Optional<Peer> peer = peers.find(from);
        if (peer.isEmpty() || pull.origin() < 0 || pull.origin() >= logs.origins()) {
            counters.count("refused_pull");
            return;
        }
        long price = settings.limits().maxBatchBytes() / QUESTIONS_PER_BATCH + 1;
        if (outbox.full(settings.limits().maxUnanswered()) || !peer.get().budget.take(price, time.now())) {
            counters.count("refused_pull_over_budget");
            return;
        }
        if (pull.after() < logs.of(pull.origin()).pruned()) {
            counters.count("refused_pull_pruned");
        } else if (pull.certified() > 0) {
            batches.certifiedAfter(pull.origin(), pull.after(), pull.certified())
                    .forEach(answer -> give(peer.get(), answer, answer.entries()));
        } else {
            boolean own = pull.origin() == settings.index();
            batches.batchesAfter(pull.origin(), pull.after())
                    .forEach(answer -> give(
                            peer.get(), own ? logs.ownTags().with(answer, from.index()) : answer, answer.entries()));
        }
    }

    private void give(Peer peer, Message answer, List<byte[]> entries) {
        peer.budget.overdraw(entries.stream().mapToLong(entry -> entry.length).sum());
        outbox.node(peer.id, answer);
    }

    /** Sends what is due of the own log and of what is here. Gives what the logs prove by now. */
    public List<Evidence> tick() {
        own.tick();
        List<Evidence> proofs = new ArrayList<>();
        if (time.now() - frontierAt >= settings.limits().frontierMillis()) {
            frontierAt = time.now();
            tell(frontier());
            logs.provedByWrongBranches().stream()
                    .filter(proof -> forks.proved(proof.one().head().message().origin()))
                    .forEach(proofs::add);
        }
        return proofs;
    }

    /** Sends a frontier to all; more seldom one that they know, when all of them say that they have the same. */
    private void tell(Frontier frontier) {
        boolean known = frontier.equals(told) && peers.allHave(frontier.version());
        if (known && time.now() - toldAt < KNOWN_FRONTIERS * settings.limits().frontierMillis()) {
            return;
        }
        told = frontier;
        toldAt = time.now();
        peers.connected().forEach(peer -> outbox.node(peer.id, frontier));
    }

    /**
     * Asks for what is missing and does not come by itself.
     *
     * @param next the content of the certificate that is to be adopted next, if it is here
     */
    public void pull(Optional<CertificateContent> next) {
        puller.pull(next);
    }

    /** Own entries may have come; whether a head over them was cut. */
    public boolean appended() {
        return own.appended();
    }

    private Frontier frontier() {
        List<Signed<Head>> heads = new ArrayList<>();
        for (int origin = 0; origin < logs.origins(); origin++) {
            logs.of(origin).newestHead().ifPresent(heads::add);
        }
        return new Frontier(logs.version(), heads, certificate);
    }

    /** Asks for entries of other origins that are missing here: whoever has them, in turn. For one thread. */
    private static final class EntryPuller extends CorePart {
        private static final long PATIENCE_MILLIS = 300;
        private static final long PULL_MILLIS = 100;

        private final Logs logs;
        private final PeerTable peers;
        private final long[] progressAt;
        private final long[] pulledAt;
        private final int[] turns;
        private VersionVector goal;

        EntryPuller(CoreState context, Logs logs, PeerTable peers) {
            super(context);
            this.logs = logs;
            this.peers = peers;
            int servers = settings.quorums().appservers();
            this.goal = VersionVector.zero(servers);
            this.progressAt = new long[servers];
            this.pulledAt = new long[servers];
            this.turns = new int[servers];
            // Time has any origin, and may be negative: what never happened lies before all of it.
            Arrays.fill(progressAt, Long.MIN_VALUE / 2);
            Arrays.fill(pulledAt, Long.MIN_VALUE / 2);
        }

        void want(VersionVector wanted) {
            goal = goal.join(wanted);
        }

        /** New entries of an origin came: the next ones may come by themselves. */
        void progressed(int origin) {
            progressAt[origin] = time.now();
        }

        /**
         * Asks for what is missing of each origin and does not come by itself.
         *
         * @param next the content of the certificate that is to be adopted next, if it is here
         */
        void pull(Optional<CertificateContent> next) {
            for (int origin = 0; origin < progressAt.length; origin++) {
                long held = logs.of(origin).size();
                boolean patient = time.now() - progressAt[origin] < PATIENCE_MILLIS && goal.get(origin) <= held;
                if (!logs.madeHere(origin)
                        && !logs.cuts().excludes(origin)
                        && !patient
                        && time.now() - pulledAt[origin] >= PULL_MILLIS) {
                    int whose = origin;
                    long certified =
                            next.map(content -> content.version().get(whose)).orElse(0L);
                    pullFromSomebody(origin, held, certified);
                }
            }
        }

        /** What is certified is asked for by its certified size, where somebody has all of that; else what has a head. */
        private void pullFromSomebody(int origin, long held, long certified) {
            List<Peer> holders = certified > held ? peers.holders(origin, certified) : List.of();
            if (!holders.isEmpty()) {
                pull(origin, holders, new Pull(origin, held, certified));
            } else if (!logs.repairing(origin)) {
                pull(origin, peers.holders(origin, held + 1), new Pull(origin, held));
            }
        }

        private void pull(int origin, List<Peer> holders, Pull pull) {
            if (!holders.isEmpty()) {
                pulledAt[origin] = time.now();
                // Each origin has its own turn: with one for all, two origins could for ever ask the same two peers.
                Peer chosen = holders.get(Math.floorMod(turns[origin]++, holders.size()));
                outbox.node(chosen.id, pull);
                counters.count("pulls_sent");
            }
        }
    }

    /**
     * Sends own entries to each peer, in batches under signed heads. Heads follow the load: one is cut when entries wait, {@value
     * #LEAST_MILLIS} ms after the last while nothing waits for this core, and up to {@value #MOST_MILLIS} ms after it when events do. The
     * next batch leaves while a peer has less than a full one to acknowledge. For one thread.
     */
    private static final class OwnBatches extends CorePart {
        private static final long LEAST_MILLIS = 5;
        private static final long MOST_MILLIS = 100;

        private final Logs logs;
        private final LogBatches batches;
        private final PeerTable peers;
        private long cut;
        private long cutAt = Long.MIN_VALUE / 2;

        OwnBatches(CoreState context, Logs logs, LogBatches batches, PeerTable peers) {
            super(context);
            this.logs = logs;
            this.batches = batches;
            this.peers = peers;
        }

        /** Cuts and sends what is due, and sends again what was not acknowledged. */
        void tick() {
            if (due()) {
                cutNow();
            }
            for (Peer peer : peers.all()) {
                if (peer.overdue(settings.index(), time.now(), settings.limits().repeatMillis())) {
                    peer.sent = 0;
                    counters.count("batches_repeated");
                }
                send(peer);
            }
        }

        /** Own entries may have come: a head is cut when it is due, or when many have come since the last; whether it was. */
        boolean appended() {
            long before = cut;
            long waiting = logs.own().size() - before;
            if (waiting > settings.limits().maxBatchEntries() / 8 || (waiting > 0 && due())) {
                cutNow();
                peers.all().forEach(this::send);
            }
            return cut > before;
        }

        private boolean due() {
            return time.now() - cutAt >= time.pause(LEAST_MILLIS, MOST_MILLIS);
        }

        private void cutNow() {
            if (logs.madeHere(settings.index()) && logs.own().size() > cut) {
                cut = logs.own().size();
                batches.ownHead(cut);
                cutAt = time.now();
            }
        }

        /** Sends a peer the next batch, unless too much is under way to it. */
        void send(Peer peer) {
            long acknowledged = peer.version.get(settings.index());
            long after = Math.max(peer.sent, acknowledged);
            boolean room = after - acknowledged < settings.limits().maxBatchEntries();
            if (!peer.connected || !room || after >= cut) {
                return;
            }
            batches.batchAfter(settings.index(), after).ifPresent(batch -> {
                if (after == acknowledged) {
                    peer.heardAt = time.now();
                }
                peer.sent = batch.head().message().size();
                outbox.node(peer.id, logs.ownTags().with(batch, peer.id.index()));
                counters.count("batches_sent");
            });
        }
    }

    /** Makes what leaves of the logs: heads of the own log, batches of any log, and entries that lead to a certified root. */
    private static final class LogBatches {
        /** How many batches one question for entries is answered with. */
        private static final int BATCHES_PER_PULL = 4;

        private final CoreSettings settings;
        private final Logs logs;

        LogBatches(CoreSettings settings, Logs logs) {
            this.settings = settings;
            this.logs = logs;
        }

        /** Signs a head over a number of own entries, unless there is one. */
        Signed<Head> ownHead(long size) {
            OriginLog own = logs.own();
            Optional<Signed<Head>> known = own.headAt(size);
            if (known.isPresent()) {
                return known.get();
            }
            Signed<Head> head = settings.sealer().seal(new Head(settings.index(), size, own.rootAt(size)));
            own.retain(head);
            return head;
        }

        /** Batches of an origin's entries after a place, as far as they go in one answer. */
        List<Batch> batchesAfter(int origin, long after) {
            List<Batch> batches = new ArrayList<>();
            long from = after;
            while (batches.size() < BATCHES_PER_PULL) {
                Optional<Batch> next = batchAfter(origin, from);
                if (next.isEmpty()) {
                    break;
                }
                batches.add(next.get());
                from = next.get().head().message().size();
            }
            return batches;
        }

        /** The next batch of an origin's entries after a place, if there are any under a signed head. */
        Optional<Batch> batchAfter(int origin, long after) {
            OriginLog log = logs.of(origin);
            if (after < log.pruned() || after >= log.size()) {
                return Optional.empty();
            }
            int entries = settings.limits().maxBatchEntries();
            int bytes = settings.limits().maxBatchBytes();
            Optional<Signed<Head>> head = logs.madeHere(origin)
                    ? Optional.of(ownHead(log.fitting(after, entries, bytes)))
                    : log.cutAfter(after, entries, bytes);
            return head.map(
                    cut -> new Batch(cut, log.between(after, cut.message().size())));
        }

        /**
         * Entries of an origin after a place, as far as they go in one answer, with the proofs that they lead to the log at a
         * certified size; none when that size is not held.
         */
        List<CertifiedEntries> certifiedAfter(int origin, long after, long size) {
            OriginLog log = logs.of(origin);
            List<CertifiedEntries> answers = new ArrayList<>();
            long from = after;
            while (answers.size() < BATCHES_PER_PULL
                    && from >= log.pruned()
                    && log.knowsRoot(from)
                    && from < size
                    && size <= log.size()) {
                long end = log.fitting(
                        from,
                        settings.limits().maxBatchEntries(),
                        settings.limits().maxBatchBytes());
                end = Math.min(end, size);
                answers.add(new CertifiedEntries(
                        origin,
                        log.rootAt(from),
                        log.proveConsistency(from, size),
                        log.between(from, end),
                        log.proveConsistency(end, size)));
                from = end;
            }
            return answers;
        }
    }
}
