package org.aspas.appserver.net;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.EntryPrecheck;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.appserver.port.LinkStatus;
import org.aspas.appserver.port.NodeEvents;
import org.aspas.appserver.port.PeerTransport;
import org.aspas.bftcluster.link.LinkCounters;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of one appserver. Thread-safe. Frames are decoded, and signatures verified, on threads of their own, one peer on
 * one of them at most. Of each peer at most {@value PeerInbox#MOST} frames wait for the core; then its link is read no
 * further, and TCP holds the peer back, and nobody else.
 */
public final class PeerLinks implements PeerTransport, LinkStatus, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);

    private final NodeLinks links;
    private final List<NodeId> nodes;
    private final Quorums quorums;
    private final int maxFrameBytes;
    private final NodeEvents core;
    private final BatchOpener opener;
    private final SignatureCheck signatures;
    private final Map<NodeId, PeerInbox> inboxes = new HashMap<>();
    private final ExecutorService handlers;
    private final LongAdder malformedFrames = new LongAdder();
    private final LongAdder forgedFrames = new LongAdder();
    private final LongAdder oversizedMessages = new LongAdder();

    /**
     * Makes the links; nothing happens on the network before {@link #start}.
     *
     * @param listen where to accept links; port 0 takes a free one
     * @param core takes events; its answer is done when the event is handled
     * @param delay delays the frames that this server sends; null for none
     * @param tags the sessions whose tags this server can judge, which are the core's
     */
    public PeerLinks(
            Descriptor descriptor,
            NodeId self,
            SigningKey key,
            InetSocketAddress listen,
            NodeEvents core,
            @Nullable LinkDelay delay,
            SessionTags tags) {
        Map<NodeId, PublicKey> keys = descriptor.keys();
        this.nodes = List.copyOf(keys.keySet());
        this.quorums = descriptor.quorums();
        this.maxFrameBytes = descriptor.limits().linkFrameBytes();
        this.core = core;
        VerifiedHeads heads = new VerifiedHeads(descriptor);
        this.opener = new BatchOpener(descriptor, heads, tags);
        this.signatures = new SignatureCheck(descriptor, heads);
        // However long f faulty appservers and b faulty bftservers keep their threads, one is left for the others.
        this.handlers = Executors.newFixedThreadPool(descriptor.quorums().oneCorrectServer(), threads(self));
        this.links = new NodeLinks(
                self, TlsIdentity.of(key.seed()), keys, listen, limits(maxFrameBytes), new Inbox(), delay);
        for (NodeId peer : nodes) {
            inboxes.put(
                    peer,
                    new PeerInbox(
                            handlers, frame -> handle(peer, frame), () -> links.pause(peer), () -> links.resume(peer)));
        }
    }

    private static ThreadFactory threads(NodeId self) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "frames-" + self + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static LinkLimits limits(int maxFrameBytes) {
        LinkLimits usual = LinkLimits.defaults();
        return new LinkLimits(
                maxFrameBytes,
                Math.max(usual.maxQueuedBytes(), maxFrameBytes),
                usual.maxUnauthenticated(),
                usual.handshakeTimeoutMillis(),
                usual.minRetryMillis(),
                usual.maxRetryMillis(),
                usual.idleMillis());
    }

    /**
     * Begins to accept links.
     *
     * @return the address that is bound
     * @throws PortUnavailableException when the address cannot be bound
     */
    public InetSocketAddress start() throws PortUnavailableException {
        return links.start();
    }

    /** Begins to dial another server, or changes the address of later attempts. */
    public void connect(NodeId node, InetSocketAddress address) {
        links.connect(node, address);
    }

    /** Whether frames can be sent to the server now. */
    public boolean isConnected(NodeId node) {
        return links.isConnected(node);
    }

    @Override
    public void send(NodeId to, byte[] frame) {
        if (frame.length > maxFrameBytes) {
            oversizedMessages.increment();
            LOG.error("a message of {} bytes to {} exceeds the limit of {}", frame.length, to, maxFrameBytes);
            return;
        }
        if (!links.send(to, frame)) {
            LOG.trace("a frame to {} is dropped", to);
        }
    }

    /**
     * What has happened on the links and how many are up, by name, for people and monitoring: the fields of {@link
     * LinkCounters}, {@code malformedFrames}, {@code forgedFrames}, {@code oversizedMessages}, and {@code appserversLinked} and {@code
     * bftserversLinked} now.
     */
    @Override
    public SortedMap<String, Long> counts() {
        LinkCounters counters = links.counters();
        SortedMap<String, Long> counts = new TreeMap<>();
        counts.put("framesIn", counters.framesIn());
        counts.put("bytesIn", counters.bytesIn());
        counts.put("framesOut", counters.framesOut());
        counts.put("bytesOut", counters.bytesOut());
        counts.put("sendsRefused", counters.sendsRefused());
        counts.put("handshakesRejected", counters.handshakesRejected());
        counts.put("dialsFailed", counters.dialsFailed());
        counts.put("oversizedFrames", counters.oversizedFrames());
        counts.put("connectionsRefused", counters.connectionsRefused());
        counts.put("malformedFrames", malformedFrames());
        counts.put("forgedFrames", forgedFrames());
        counts.put("oversizedMessages", oversizedMessages());
        counts.put("appserversLinked", linked(Role.APPSERVER));
        counts.put("bftserversLinked", linked(Role.BFTSERVER));
        return counts;
    }

    @Override
    public boolean joined() {
        return linked(Role.APPSERVER) + 1 >= quorums.appserverQuorum();
    }

    @Override
    public List<NodeId> linked() {
        return nodes.stream().filter(links::isConnected).sorted().toList();
    }

    private long linked(Role role) {
        return linked().stream().filter(node -> node.role() == role).count();
    }

    /** Frames of authenticated peers that were no message. */
    public long malformedFrames() {
        return malformedFrames.sum();
    }

    /** Frames of authenticated peers with a signature that is wrong, or of somebody else's words. */
    public long forgedFrames() {
        return forgedFrames.sum();
    }

    /** Own messages that were too large to send. */
    public long oversizedMessages() {
        return oversizedMessages.sum();
    }

    @Override
    public void close() {
        links.close();
        handlers.shutdownNow();
    }

    private CompletionStage<?> handle(NodeId peer, byte[] bytes) {
        Decoded<Frame> decoded = Codec.decode(bytes);
        if (decoded instanceof Decoded.Rejected<Frame> rejected) {
            malformedFrames.increment();
            LOG.warn("{} sends a frame that is no message: {}", peer, rejected.reason());
            return CompletableFuture.completedStage(null);
        }
        Frame frame = ((Decoded.Accepted<Frame>) decoded).value();
        if (!signatures.genuine(peer, frame)) {
            forgedFrames.increment();
            LOG.warn("{} sends a frame with a wrong signature", peer);
            return CompletableFuture.completedStage(null);
        }
        return core.happened(event(peer, frame));
    }

    private Event event(NodeId peer, Frame frame) {
        return peer.role() == Role.APPSERVER
                        && frame instanceof Frame.Plain plain
                        && plain.message() instanceof Batch batch
                ? new Event.NodeBatch(peer, opener.open(batch))
                : new Event.NodeFrame(peer, frame);
    }

    /** Hands over what the links bring, on their I/O threads, which never wait. */
    private final class Inbox implements LinkListener {
        @Override
        public void onConnected(NodeId peer) {
            LOG.debug("link to {} is up", peer);
            core.happened(new Event.NodeConnected(peer));
        }

        @Override
        public void onDisconnected(NodeId peer) {
            LOG.debug("link to {} is down", peer);
            core.happened(new Event.NodeGone(peer));
        }

        @Override
        public void onFrame(NodeId peer, byte[] bytes) {
            PeerInbox inbox = inboxes.get(peer);
            if (inbox != null) {
                inbox.offer(bytes);
            }
        }
    }

    /**
     * Decodes the entries of peers' batches and verifies their clients' signatures outside the core's thread, so that the core's
     * thread answers clients meanwhile. Where the tag beside an entry is right, no signature is verified. It decides nothing: the core asks everything again, and finds the answers remembered.
     * Entries are looked at under a rightly signed head only, without a gap before them, and the same place of a log once, so
     * that a peer that repeats itself costs no more than before; where the core refused a batch, the same places are looked at
     * again in the next. Thread-safe.
     */
    static final class BatchOpener {
        private final VerifiedHeads heads;
        private final EntryPrecheck precheck;
        private final AtomicLongArray opened;

        BatchOpener(Descriptor descriptor, VerifiedHeads heads, SessionTags tags) {
            this.heads = heads;
            this.precheck = new EntryPrecheck(descriptor::admits, descriptor.verifier(), tags);
            this.opened = new AtomicLongArray(descriptor.quorums().appservers());
        }

        OpenBatch open(Batch batch) {
            Head head = batch.head().message();
            long first = head.size() - batch.entries().size() + 1;
            if (head.origin() < 0 || head.origin() >= opened.length() || first < 1 || !heads.genuine(batch.head())) {
                return OpenBatch.closed(batch);
            }
            OpenBatch.Listener listener = (outcome, size) -> judged(head.origin(), outcome, size);
            long before =
                    opened.getAndUpdate(head.origin(), mark -> first - 1 <= mark ? Math.max(mark, head.size()) : mark);
            if (first - 1 > before) {
                return OpenBatch.closed(batch, listener);
            }
            int skipped = (int)
                    Math.max(0, Math.min(before - first + 1, batch.entries().size()));
            OpenBatch open = OpenBatch.openedFrom(batch, skipped, listener);
            for (int place = skipped; place < batch.entries().size(); place++) {
                precheck.at(open, place);
            }
            return open;
        }

        /** What was looked at and not taken comes again; what the core has by other ways need not be looked at. */
        private void judged(int origin, BatchOutcome outcome, long size) {
            if (outcome == BatchOutcome.CUT || outcome == BatchOutcome.OWN) {
                opened.set(origin, Long.MAX_VALUE);
            } else if (outcome == BatchOutcome.ADDED
                    || outcome == BatchOutcome.KNOWN
                    || outcome == BatchOutcome.PRUNED) {
                opened.accumulateAndGet(origin, size, Math::max);
            } else {
                opened.set(origin, size);
            }
        }
    }

    /**
     * Verifies what peers send signed, outside the core's thread. The core asks the same again, and of what is right finds most
     * remembered; what is wrong no correct peer sends, and the core never sees it. Batches are the {@link PeerLinks.BatchOpener}'s, and
     * evidence, of which a peer has an allowance, is the core's. Thread-safe.
     */
    private static final class SignatureCheck {
        private final Descriptor descriptor;
        private final VerifiedHeads verified;
        private final CertificateVerifier certificates;

        SignatureCheck(Descriptor descriptor, VerifiedHeads heads) {
            this.descriptor = descriptor;
            this.verified = heads;
            this.certificates = new CertificateVerifier(
                    descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
        }

        /** Whether all signatures in a frame of a peer that are to be verified here are right. */
        boolean genuine(NodeId peer, Frame frame) {
            if (frame instanceof Frame.Sealed sealed) {
                Signed<? extends Message> signed = sealed.signed();
                Message message = signed.message();
                boolean ours = message instanceof BftReqStable || message instanceof Blacklist;
                return !ours || signedBy(peer, signed, Sealer.domainOf(message));
            }
            Message message = ((Frame.Plain) frame).message();
            if (message instanceof Share share) {
                return peer.equals(new NodeId(Role.BFTSERVER, share.replica()))
                        && signedBy(peer, share.content(), Domain.CERTIFICATE);
            } else if (message instanceof Frontier frontier) {
                return genuine(frontier.heads());
            } else if (message instanceof CertificateReply reply) {
                Certificate certificate = reply.certificate();
                return certificate == null || certificates.verify(certificate).isEmpty();
            }
            return true;
        }

        private boolean genuine(List<Signed<Head>> heads) {
            return heads.size() <= descriptor.quorums().appservers()
                    && heads.stream().allMatch(verified::genuine);
        }

        private boolean signedBy(NodeId node, Signed<? extends Message> signed, Domain domain) {
            return signed.verify(descriptor.verifier(), descriptor.node(node).key(), domain);
        }
    }

    /**
     * Verifies the signatures of heads, and remembers the newest right ones of each origin: every peer tells of the same ones.
     * Thread-safe.
     */
    static final class VerifiedHeads {
        private static final int REMEMBERED = 16;

        private final Descriptor descriptor;
        private final int origins;
        /** Of each origin a row, in which a head has its place by its size. */
        private final AtomicReferenceArray<Signed<Head>> right;

        VerifiedHeads(Descriptor descriptor) {
            this.descriptor = descriptor;
            this.origins = descriptor.quorums().appservers();
            this.right = new AtomicReferenceArray<>(origins * REMEMBERED);
        }

        /** Whether a head is signed by its origin, which is an appserver of the deployment. */
        boolean genuine(Signed<Head> head) {
            int origin = head.message().origin();
            if (origin < 0 || origin >= origins) {
                return false;
            }
            int place = origin * REMEMBERED + (int) Math.floorMod(head.message().size(), (long) REMEMBERED);
            Signed<Head> known = right.get(place);
            if (known != null && head.verifiedAs(known)) {
                return true;
            }
            NodeId signer = NodeId.appserver(origin);
            if (!head.verify(descriptor.verifier(), descriptor.node(signer).key(), Domain.HEAD)) {
                return false;
            }
            right.set(place, head);
            return true;
        }
    }
}
