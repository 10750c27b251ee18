package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.object.CertifiedState;
import org.aspas.appserver.core.object.StateAssembly;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.jspecify.annotations.Nullable;

/**
 * Gets the certified state from peers when what lies between the newest certificate here and theirs is no more to be had. It asks
 * who has a snapshot, takes the one that most have, and asks all of these for parts of it at once. Each part is verified as it comes; who
 * sends a wrong one is not asked again. For one thread.
 */
public final class SnapshotIntake extends CorePart {
    private static final long ASK_MILLIS = 500;
    /** How long the answers of all peers are waited for, from the first one on. */
    private static final long CHOICE_MILLIS = 300;

    private static final long PATIENCE_MILLIS = 2_000;
    /** When nothing came for so long, another snapshot is chosen. */
    private static final long STALLED_MILLIS = 10_000;

    private static final int PARTS_AT_ONCE = 4;
    private static final int MOST_UNANSWERED = 3;

    private record Asked(NodeId peer, long at) {}

    private final CertifiedHistory history;
    private final CertificateVerifier verifier;
    private final Set<NodeId> connected = new TreeSet<>();
    private final Set<NodeId> refusing = new TreeSet<>();
    private final Map<NodeId, VerifiedHead> offers = new TreeMap<>();
    private final Map<NodeId, Integer> unanswered = new TreeMap<>();
    private final Set<NodeId> forgers = new TreeSet<>();
    /** Whose snapshot did not come, though they offered it: another one's is taken first. */
    private final Set<NodeId> slow = new TreeSet<>();

    private final Map<Place, Asked> asked = new HashMap<>();
    private CertificateNumber pruned = CertificateNumber.NONE;
    private @Nullable VerifiedHead chosen;
    private @Nullable StateAssembly assembly;
    private long askedAt = Long.MIN_VALUE / 2;
    private long offeredAt;
    private long progressAt;

    public SnapshotIntake(CoreState context, CertifiedHistory history) {
        super(context);
        this.history = history;
        this.verifier = new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
    }

    public void connected(NodeId peer) {
        if (settings.peers().contains(peer) && !forgers.contains(peer)) {
            connected.add(peer);
        }
    }

    /** A link went down: what was asked there is asked elsewhere. */
    public void gone(NodeId peer) {
        connected.remove(peer);
        offers.remove(peer);
        asked.values().removeIf(one -> one.peer().equals(peer));
        fill();
    }

    /**
     * A peer that told of a certificate, or of a later one, does not have it any more.
     *
     * @param number the number of the certificate, which is to be adopted next
     */
    public void pruned(NodeId peer, CertificateNumber number) {
        if (!number.equals(pruned)) {
            pruned = number;
            refusing.clear();
        }
        refusing.add(peer);
    }

    /** Whether a correct peer cannot give what is to be adopted next, or a snapshot is under way. */
    private boolean needed() {
        CertificateNumber next = history.number().next();
        return !condition.diverged()
                && (chosen != null
                        || history.incomplete()
                        || (pruned.equals(next)
                                && refusing.size() >= settings.quorums().oneCorrectAppserver()));
    }

    public void tick() {
        dropOutdated();
        if (!needed()) {
            return;
        }
        asked.entrySet().removeIf(one -> late(one.getValue()));
        if (stalled()) {
            counters.count("snapshots_given_up");
            giveUp();
        }
        if (time.now() - askedAt >= ASK_MILLIS) {
            askedAt = time.now();
            CertificateNumber number =
                    chosen == null ? history.required() : chosen.certificate().number();
            connected.stream()
                    .filter(peer -> !offers.containsKey(peer))
                    .forEach(peer -> outbox.node(peer, new SnapshotPull(number, null)));
        }
        if (chosen == null) {
            choose();
        }
        fill();
    }

    /**
     * Whether nothing comes of the chosen snapshot, and somebody has another one. Where all peers have others, as after a start with
     * the head of one that is no longer kept, there is nothing to wait for.
     */
    private boolean stalled() {
        VerifiedHead head = chosen;
        if (head == null || offers.isEmpty()) {
            return false;
        }
        long same = offers.values().stream().filter(head::isOfTheSame).count();
        boolean gone = same == 0 && offers.size() == connected.size();
        return gone || (same < offers.size() && time.now() - progressAt >= STALLED_MILLIS);
    }

    /** Another snapshot is to be chosen, and rather not of those that did not give this one. */
    private void giveUp() {
        VerifiedHead head = chosen;
        if (head != null) {
            offers.forEach((peer, offer) -> {
                if (head.isOfTheSame(offer)) {
                    slow.add(peer);
                }
            });
        }
        forget();
    }

    private boolean late(Asked one) {
        if (time.now() - one.at() < PATIENCE_MILLIS) {
            return false;
        }
        if (unanswered.merge(one.peer(), 1, Integer::sum) >= MOST_UNANSWERED) {
            unanswered.remove(one.peer());
            offers.remove(one.peer());
            slow.add(one.peer());
        }
        return true;
    }

    private void dropOutdated() {
        VerifiedHead now = chosen;
        if (now != null && !now.certificate().number().isAfter(history.number())) {
            forget();
        }
    }

    private void forget() {
        chosen = null;
        assembly = null;
        offers.clear();
        asked.clear();
        unanswered.clear();
    }

    // ---- Which snapshot ----

    /** Takes a peer's offer. */
    public void head(NodeId from, SnapshotHead head) {
        Certificate certificate = head.certificate();
        if (!needed() || !connected.contains(from) || offers.containsKey(from) || certificate == null) {
            return;
        }
        Optional<VerifiedHead> verified = certificate.number().isAfter(history.number())
                        && !history.required().isAfter(certificate.number())
                        && verifier.verify(certificate).isEmpty()
                ? VerifiedHead.of(head, certificate)
                : Optional.empty();
        if (verified.isEmpty()) {
            counters.count("refused_snapshot_head");
            return;
        }
        if (offers.isEmpty()) {
            offeredAt = time.now();
        }
        offers.put(from, verified.get());
        fill();
    }

    /** The snapshot that most have, of those that gave what they offered before; of several the newest. */
    private void choose() {
        boolean all = offers.size() == connected.size();
        if (offers.isEmpty() || (!all && time.now() - offeredAt < CHOICE_MILLIS)) {
            return;
        }
        if (slow.containsAll(offers.keySet())) {
            slow.clear();
        }
        Map<Hash, Long> votes = new HashMap<>();
        offers.forEach(
                (peer, offer) -> votes.merge(offer.certificate().hash(), slow.contains(peer) ? 0L : 1L, Long::sum));
        offers.values().stream()
                .max(Comparator.comparing((VerifiedHead offer) ->
                                votes.getOrDefault(offer.certificate().hash(), 0L))
                        .thenComparing(offer -> offer.certificate().number()))
                .ifPresent(this::begin);
    }

    private void begin(VerifiedHead head) {
        chosen = head;
        assembly = new StateAssembly(head.certificate().content().state());
        offers.values().removeIf(offer -> !head.isOfTheSame(offer));
        progressAt = time.now();
        outbox.persist(Records.snapshotHead(head.message()));
        counters.count("snapshots_begun");
    }

    // ---- Its parts ----

    private void fill() {
        VerifiedHead head = chosen;
        StateAssembly parts = assembly;
        if (head == null || parts == null) {
            return;
        }
        Map<NodeId, Integer> load = new TreeMap<>();
        offers.forEach((peer, offer) -> {
            if (head.isOfTheSame(offer)) {
                load.put(peer, 0);
            }
        });
        asked.values().forEach(one -> load.computeIfPresent(one.peer(), (peer, count) -> count + 1));
        List<Place> wanted = new ArrayList<>();
        long room = (long) load.size() * PARTS_AT_ONCE - asked.size();
        parts.places(place -> {
            if (wanted.size() >= room) {
                return false;
            }
            if (!asked.containsKey(place)) {
                wanted.add(place);
            }
            return true;
        });
        for (Place place : wanted) {
            NodeId idle = load.keySet().stream()
                    .min(Comparator.comparingInt((NodeId peer) -> unanswered.getOrDefault(peer, 0))
                            .thenComparing(load::get))
                    .orElseThrow();
            load.merge(idle, 1, Integer::sum);
            asked.put(place, new Asked(idle, time.now()));
            outbox.node(idle, new SnapshotPull(head.certificate().number(), place));
        }
    }

    /** Takes a part from a peer; the snapshot, when it is whole by that. */
    public Optional<Snapshot> chunk(NodeId from, SnapshotChunk chunk) {
        VerifiedHead head = chosen;
        Asked one = asked.get(chunk.place());
        boolean expected = head != null
                && one != null
                && one.peer().equals(from)
                && chunk.number().equals(head.certificate().number());
        if (!expected) {
            counters.count("snapshot_chunks_unasked");
            return Optional.empty();
        }
        asked.remove(chunk.place());
        unanswered.remove(from);
        if (chunk.proof() == null) {
            offers.remove(from);
        } else if (!take(chunk)) {
            counters.count("snapshot_chunks_refused");
            outbox.alarm(new Alarm.ForgedSnapshot(from.index(), chunk.number()));
            forgers.add(from);
            gone(from);
            progressAt = offers.isEmpty() ? time.now() - STALLED_MILLIS : progressAt;
        }
        Optional<Snapshot> whole = whole();
        fill();
        return whole;
    }

    /** Takes a part that was not taken before; whether it is right. */
    private boolean take(SnapshotChunk chunk) {
        StateAssembly parts = assembly;
        if (parts == null || !parts.needs(chunk.place())) {
            return true;
        }
        if (!parts.take(chunk)) {
            return false;
        }
        progressAt = time.now();
        counters.count("snapshot_chunks_taken");
        outbox.persist(Records.snapshotChunk(chunk));
        return true;
    }

    private Optional<Snapshot> whole() {
        VerifiedHead head = chosen;
        StateAssembly parts = assembly;
        boolean news = head != null && head.certificate().number().isAfter(history.number());
        if (head == null || parts == null || !news || !parts.complete()) {
            return Optional.empty();
        }
        Optional<CertifiedState> state = parts.state();
        forget();
        if (state.isEmpty()) {
            counters.count("snapshots_wrong");
        }
        return state.map(all -> new Snapshot(head, all));
    }

    // ---- From the store ----

    /** Takes a head back from the store, where it was put after it was verified. */
    public void restore(SnapshotHead head) {
        Certificate certificate = head.certificate();
        VerifiedHead verified =
                certificate == null ? null : VerifiedHead.of(head, certificate).orElse(null);
        if (verified == null) {
            throw new IllegalStateException("the store holds a wrong head of a snapshot");
        }
        begin(verified);
    }

    /** Takes a part back from the store, where it was put after it was verified; the snapshot, when it is whole by that. */
    public Optional<Snapshot> restore(SnapshotChunk chunk) {
        VerifiedHead head = chosen;
        if (head != null && chunk.number().equals(head.certificate().number()) && !take(chunk)) {
            throw new IllegalStateException("the store holds a wrong part of a snapshot");
        }
        return whole();
    }

    /** Adds to a server's gauges how far a snapshot has come: its certificate, and parts of it. Nothing without one. */
    public void measure(Map<String, Long> gauges) {
        VerifiedHead head = chosen;
        StateAssembly parts = assembly;
        if (head != null && parts != null) {
            gauges.put("snapshot_certificate", head.certificate().number().value());
            gauges.put("snapshot_permille", parts.permille());
            gauges.put("snapshot_chunks", parts.chunks());
            gauges.put("snapshot_open_objects", parts.openObjects());
        }
    }
}
