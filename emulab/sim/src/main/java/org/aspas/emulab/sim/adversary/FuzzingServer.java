package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.Verdict;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server that changes fields of the frames it sends, and of those that it heard, and signs them again with its own key. Kinds that do
 * not travel by themselves it makes of what it knows, and changes them too.
 */
final class FuzzingServer implements ByzantineBehavior {
    private static final double CHANGED = 0.15;
    private static final double LEARNED = 0.3;
    private static final double PARTS = 0.3;
    private static final long SERVED = 2 * Timeline.SECOND;
    private static final long PAUSE = 50 * Timeline.MILLI;
    private static final long ACCUSING = 200 * Timeline.MILLI;
    private static final long PULLING = 100 * Timeline.MILLI;

    private static final Set<Kind> TO_BFTSERVERS = EnumSet.of(Kind.VERTOBFT, Kind.STABLE, Kind.VERDICT);

    private static final Set<Kind> TO_CLIENTS = EnumSet.of(
            Kind.ANSWER,
            Kind.REFUSAL,
            Kind.HELLO,
            Kind.CONFIRMATION,
            Kind.CERTIFICATE_REPLY,
            Kind.STANDING,
            Kind.INSPECTREPLY,
            Kind.BLACKLIST);

    private static final Set<Kind> TO_APPSERVERS = EnumSet.of(
            Kind.BATCH,
            Kind.FRONTIER,
            Kind.PULL,
            Kind.CERTIFIED_ENTRIES,
            Kind.GET_CERTIFICATE,
            Kind.CERTIFICATE_REPLY,
            Kind.SNAPSHOT_PULL,
            Kind.SNAPSHOT_HEAD,
            Kind.SNAPSHOT_CHUNK,
            Kind.BLACKLIST);

    static {
        for (Kind kind : Kind.values()) {
            if (Evidence.class.isAssignableFrom(kind.type())) {
                TO_APPSERVERS.add(kind);
            }
        }
    }

    private final AdversaryContext power;
    private final FrameFuzzer frames;
    private final FalseEvidence lies;
    private ConnectionId connection = ConnectionId.NONE;
    private long served = Long.MIN_VALUE / 2;
    private long sent = Long.MIN_VALUE / 2;
    private long accused = Long.MIN_VALUE / 2;
    private long pulled = Long.MIN_VALUE / 2;
    private CertificateNumber snapshot = CertificateNumber.NONE;
    private @Nullable ClientId client;

    FuzzingServer(AdversaryContext power) {
        this.power = power;
        this.lies = new FalseEvidence(power);
        this.frames = new FrameFuzzer(power, power.self().index());
    }

    // ---- What it sends ----

    private void learn(Frame frame) {
        if (power.chance().happens(LEARNED)) {
            frames.learn(frame);
        }
    }

    private Optional<byte[]> instead(Frame frame) {
        return power.chance().happens(CHANGED) ? frames.changed(frame) : Optional.empty();
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        note(frame);
        learn(frame);
        Optional<byte[]> changed = instead(frame);
        if (changed.isEmpty() || power.chance().happens(0.5)) {
            exit.node(to, frame, 0);
        }
        changed.ifPresent(bytes -> exit.nodeBytes(to, bytes));
    }

    @Override
    public void toClient(int core, ConnectionId to, Message message, Exit exit) {
        Frame frame = new Frame.Plain(message);
        note(frame);
        frames.learn(frame);
        Optional<byte[]> changed = instead(frame);
        if (changed.isEmpty() || power.chance().happens(0.5)) {
            exit.client(to, message);
        }
        changed.ifPresent(bytes -> exit.clientBytes(to, bytes));
    }

    @Override
    public void toClientSigned(int core, ConnectionId to, Signed<? extends Message> signed, Exit exit) {
        frames.learn(new Frame.Sealed(signed));
        Optional<byte[]> changed = instead(new Frame.Sealed(signed));
        if (changed.isEmpty() || power.chance().happens(0.5)) {
            exit.clientSigned(to, signed);
        }
        changed.ifPresent(bytes -> exit.clientBytes(to, bytes));
    }

    // ---- What it hears ----

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        note(frame);
        if (frame instanceof Frame.Plain plain && plain.message() instanceof SnapshotChunk chunk) {
            frames.learn(frame);
            makePartsOfSets(chunk);
        } else {
            learn(frame);
        }
    }

    @Override
    public boolean takes(int core, ConnectionId from, Frame frame) {
        connection = from;
        served = power.now().getAsLong();
        if (frame instanceof Frame.Sealed sealed) {
            if (sealed.signed().message() instanceof Inspect inspect) {
                lies.answer(inspect.response(), inspect.question());
            } else if (sealed.signed().message() instanceof ClientSigned words) {
                client = words.client();
            }
        }
        return true;
    }

    private void note(Frame frame) {
        if (!(frame instanceof Frame.Plain plain)) {
            return;
        }
        if (plain.message() instanceof Batch batch) {
            lies.batch(batch);
            makeCertifiedEntries(batch);
        } else if (plain.message() instanceof Answer answer && answer.certificate() != null) {
            certificate(answer.certificate());
        } else if (plain.message() instanceof Confirmation confirmation) {
            certificate(confirmation.certificate());
        } else if (plain.message() instanceof SnapshotHead head && head.certificate() != null) {
            snapshot = head.certificate().number();
        }
    }

    // ---- What it makes ----

    private void certificate(Certificate certificate) {
        lies.certificate(certificate);
        make(new CertificateReply(certificate.number(), certificate));
        if (client != null) {
            make(power.sealer()
                    .seal(new Standing(
                            power.self().index(),
                            client,
                            power.chance().index(20),
                            certificate,
                            List.of(new Standing.Held(1, null)))));
        }
    }

    private void makeCertifiedEntries(Batch batch) {
        long size = batch.head().message().size();
        Hash root = batch.head().message().root();
        ConsistencyProof before = new ConsistencyProof(size - batch.entries().size(), size, List.of(root));
        ConsistencyProof after =
                new ConsistencyProof(size, size, power.chance().happens(0.5) ? List.of() : List.of(root));
        make(new CertifiedEntries(batch.head().message().origin(), root, before, batch.entries(), after));
        make(new Pull(batch.head().message().origin(), 0, size));
    }

    /** The leaf of a set, and its elements as if they travelled by themselves, which those of large sets do. */
    private void makePartsOfSets(SnapshotChunk chunk) {
        for (SnapshotLeaf leaf : chunk.leaves()) {
            if (leaf instanceof SnapshotLeaf.OfElements set
                    && set.elements() != null
                    && power.chance().happens(PARTS)) {
                Place place = new Place(StateTree.objectPath(set.key()), Hash.ZERO);
                make(new SnapshotChunk(chunk.number(), place, chunk.proof(), List.copyOf(set.elements())));
                make(new SnapshotChunk(chunk.number(), chunk.place(), chunk.proof(), List.of(set)));
                return;
            }
        }
    }

    private void make(Message message) {
        frames.learn(new Frame.Plain(message));
    }

    private void make(Signed<? extends Message> signed) {
        frames.learn(new Frame.Sealed(signed));
    }

    private void accuse(Evidence evidence) {
        make(evidence);
        Accused whom = evidence.accused();
        Signed<Blacklist> word = power.sealer()
                .seal(new Blacklist(power.self().index(), Digests.evidence(evidence), whom, Blacklist.Finding.GUILTY));
        make(word);
        make(power.sealer().seal(new Verdict(power.self().index(), evidence, List.of(word))));
        if (client != null) {
            make(power.sealer()
                    .seal(new InspectReply(
                            power.self().index(),
                            client,
                            power.chance().index(20),
                            Digests.evidence(evidence),
                            Hash.ZERO,
                            InspectReply.Outcome.DIFFERS)));
        }
    }

    @Override
    public void tick(Exit exit) {
        long now = power.now().getAsLong();
        if (now - accused >= ACCUSING) {
            accused = now;
            lies.any().ifPresent(this::accuse);
        }
        if (now - pulled >= PULLING) {
            pulled = now;
            pull(exit);
        }
        if (now - sent >= PAUSE) {
            sent = now;
            send(exit);
        }
    }

    /** Asks for a snapshot without need: what comes is changed, and given to who needs one. */
    private void pull(Exit exit) {
        Hash anywhere = StateTree.objectPath(String.valueOf(power.chance().index(1_000)));
        make(new SnapshotPull(snapshot, new Place(anywhere, Hash.ZERO)));
        NodeId whom = power.chance().pick(others());
        Hash from = power.chance().happens(0.5) ? anywhere : Hash.ZERO;
        for (Place place : Arrays.asList(null, new Place(null, from))) {
            SnapshotPull question = new SnapshotPull(snapshot, place);
            make(question);
            exit.node(whom, new Frame.Plain(question), 0);
        }
    }

    private List<NodeId> others() {
        List<NodeId> others = new ArrayList<>();
        for (int server = 0; server < power.quorums().appservers(); server++) {
            if (server != power.self().index()) {
                others.add(NodeId.appserver(server));
            }
        }
        return others;
    }

    private void send(Exit exit) {
        make(new Refusal(power.chance().index(20), false, Refusal.Reason.BUSY, "not now"));
        List<NodeId> others = others();
        frames.any(TO_APPSERVERS)
                .ifPresent(bytes -> exit.nodeBytes(power.chance().pick(others), bytes));
        frames.any(TO_BFTSERVERS)
                .ifPresent(bytes -> exit.nodeBytes(
                        NodeId.bftserver(power.chance().index(power.quorums().bftservers())), bytes));
        if (power.now().getAsLong() - served < SERVED) {
            frames.any(TO_CLIENTS).ifPresent(bytes -> exit.clientBytes(connection, bytes));
        }
    }
}
