package org.aspas.emulab.sim.adversary;

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
final class FuzzingServer {
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

    private final AdversaryContext context;
    private final FrameFuzzer frames;
    private final FalseEvidence lies;
    private ConnectionId connection = ConnectionId.NONE;
    private long served = Long.MIN_VALUE / 2;
    private CertificateNumber snapshot = CertificateNumber.NONE;
    private @Nullable ClientId client;

    private FuzzingServer(AdversaryContext context) {
        this.context = context;
        this.lies = new FalseEvidence(context);
        this.frames = new FrameFuzzer(context, context.self().index());
    }

    static Rules rules(AdversaryContext context) {
        FuzzingServer party = new FuzzingServer(context);
        return new Rules(context)
                .on(Message.class)
                .act(party::wanted)
                .onHeard(Message.class, party::heard)
                .onAsked(party::asked)
                .onTick(ACCUSING, exit -> party.lies.any().ifPresent(party::accuse))
                .onTick(PULLING, party::pull)
                .onTick(PAUSE, party::send);
    }

    private void wanted(Message message, Rules.Due due) {
        note(message);
        if (due.to() == Rules.To.CLIENTS || context.chance().happens(LEARNED)) {
            frames.learn(due.frame());
        }
        Optional<byte[]> changed = context.chance().happens(CHANGED) ? frames.changed(due.frame()) : Optional.empty();
        if (changed.isEmpty() || context.chance().happens(0.5)) {
            due.pass();
        }
        changed.ifPresent(due.bytes());
    }

    private void heard(Message message, Rules.Heard heard) {
        note(message);
        if (message instanceof SnapshotChunk chunk) {
            frames.learn(heard.frame());
            makePartsOfSets(chunk);
        } else if (context.chance().happens(LEARNED)) {
            frames.learn(heard.frame());
        }
    }

    private void asked(ConnectionId from, Message message) {
        connection = from;
        served = context.now().getAsLong();
        if (message instanceof Inspect inspect) {
            lies.answer(inspect.response(), inspect.question());
        } else if (message instanceof ClientSigned words) {
            client = words.client();
        }
    }

    private void note(Message message) {
        if (message instanceof Batch batch) {
            lies.batch(batch);
            makeCertifiedEntries(batch);
        } else if (message instanceof Answer answer && answer.certificate() != null) {
            certificate(answer.certificate());
        } else if (message instanceof Confirmation confirmation) {
            certificate(confirmation.certificate());
        } else if (message instanceof SnapshotHead head && head.certificate() != null) {
            snapshot = head.certificate().number();
        }
    }

    // ---- What it makes ----

    private void certificate(Certificate certificate) {
        lies.certificate(certificate);
        make(new CertificateReply(certificate.number(), certificate));
        if (client != null) {
            make(new Standing(
                    context.self().index(),
                    client,
                    context.chance().index(20),
                    certificate,
                    List.of(new Standing.Held(1, null))));
        }
    }

    private void makeCertifiedEntries(Batch batch) {
        long size = batch.head().message().size();
        Hash root = batch.head().message().root();
        ConsistencyProof before = new ConsistencyProof(size - batch.entries().size(), size, List.of(root));
        ConsistencyProof after =
                new ConsistencyProof(size, size, context.chance().happens(0.5) ? List.of() : List.of(root));
        make(new CertifiedEntries(batch.head().message().origin(), root, before, batch.entries(), after));
        make(new Pull(batch.head().message().origin(), 0, size));
    }

    /** The leaf of a set, and its elements as if they travelled by themselves, which those of large sets do. */
    private void makePartsOfSets(SnapshotChunk chunk) {
        for (SnapshotLeaf leaf : chunk.leaves()) {
            if (leaf instanceof SnapshotLeaf.OfElements set
                    && set.elements() != null
                    && context.chance().happens(PARTS)) {
                Place place = new Place(StateTree.objectPath(set.key()), Hash.ZERO);
                make(new SnapshotChunk(chunk.number(), place, chunk.proof(), List.copyOf(set.elements())));
                make(new SnapshotChunk(chunk.number(), chunk.place(), chunk.proof(), List.of(set)));
                return;
            }
        }
    }

    private void make(Message message) {
        frames.learn(context.frame(message));
    }

    private void accuse(Evidence evidence) {
        make(evidence);
        int self = context.self().index();
        Blacklist word = new Blacklist(self, Digests.evidence(evidence), evidence.accused(), Blacklist.Finding.GUILTY);
        make(word);
        make(new Verdict(self, evidence, List.of(context.sealer().seal(word))));
        if (client != null) {
            make(new InspectReply(
                    self,
                    client,
                    context.chance().index(20),
                    Digests.evidence(evidence),
                    Hash.ZERO,
                    InspectReply.Outcome.DIFFERS));
        }
    }

    /** Asks for a snapshot without need: what comes is changed, and given to who needs one. */
    private void pull(ByzantineBehavior.Exit exit) {
        Hash anywhere = StateTree.objectPath(String.valueOf(context.chance().index(1_000)));
        make(new SnapshotPull(snapshot, new Place(anywhere, Hash.ZERO)));
        NodeId whom = context.chance().pick(context.peers());
        Hash from = context.chance().happens(0.5) ? anywhere : Hash.ZERO;
        for (Place place : Arrays.asList(null, new Place(null, from))) {
            SnapshotPull question = new SnapshotPull(snapshot, place);
            make(question);
            exit.node(whom, new Frame.Plain(question), 0);
        }
    }

    private void send(ByzantineBehavior.Exit exit) {
        make(new Refusal(context.chance().index(20), false, Refusal.Reason.BUSY, "not now"));
        frames.any(TO_APPSERVERS)
                .ifPresent(bytes -> exit.nodeBytes(context.chance().pick(context.peers()), bytes));
        frames.any(TO_BFTSERVERS)
                .ifPresent(bytes -> exit.nodeBytes(context.chance().pick(context.bftservers()), bytes));
        if (context.now().getAsLong() - served < SERVED) {
            frames.any(TO_CLIENTS).ifPresent(bytes -> exit.clientBytes(connection, bytes));
        }
    }
}
