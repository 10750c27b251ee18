package org.aspas.emulab.sim.node;

import java.util.Arrays;
import java.util.Optional;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.EntryPrecheck;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.engine.SeededRandom;

/**
 * What an appserver does with the frames of correct peers before its core's thread has them: it verifies their signatures,
 * and decodes and verifies the entries of batches, each place of a log once. It is the same as in {@code appserver.peer},
 * whose classes need sockets; what is found right is remembered in the messages, so that the core spends no more on it.
 */
final class PeerFrames {
    private final CoreSettings settings;
    private final CertificateVerifier certificates;
    private final EntryPrecheck look;
    private final long[] opened;
    private final boolean looks;

    PeerFrames(CoreSettings settings) {
        this(settings, true);
    }

    private PeerFrames(CoreSettings settings, boolean looks) {
        this.looks = looks;
        this.settings = settings;
        this.certificates = new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
        this.look = new EntryPrecheck(settings.admits(), settings.verifier(), settings.tags());
        this.opened = new long[settings.quorums().appservers()];
    }

    /** Where this takes no time: half of the correct servers do it, chosen by lot; cores of the others find frames as they came. */
    static PeerFrames atOnce(CoreSettings settings, boolean correct, SeededRandom lots) {
        return new PeerFrames(
                settings,
                correct && lots.stream(settings.self() + " looks early").happens(0.5));
    }

    /** The server starts, and has opened nothing. */
    void restarted() {
        Arrays.fill(opened, 0);
    }

    Event event(NodeId peer, Frame frame) {
        if (!looks) {
            return new Event.NodeFrame(peer, frame);
        }
        if (frame instanceof Frame.Sealed sealed) {
            Signed<? extends Message> signed = sealed.signed();
            settings.signedBy(peer, signed, Sealer.domainOf(signed.message()));
        } else if (((Frame.Plain) frame).message() instanceof Batch batch) {
            return new Event.NodeBatch(peer, open(batch));
        } else {
            verify(peer, ((Frame.Plain) frame).message());
        }
        return new Event.NodeFrame(peer, frame);
    }

    private void verify(NodeId peer, Message message) {
        if (message instanceof Share share) {
            settings.signedBy(peer, share.content(), Domain.CERTIFICATE);
        } else if (message instanceof Frontier frontier) {
            frontier.heads().forEach(this::signed);
        } else if (message instanceof CertificateReply reply) {
            Optional.ofNullable(reply.certificate()).ifPresent(certificates::verify);
        }
    }

    private boolean signed(Signed<Head> head) {
        return settings.signedBy(NodeId.appserver(head.message().origin()), head, Domain.HEAD);
    }

    private OpenBatch open(Batch batch) {
        Head head = batch.head().message();
        long first = head.size() - batch.entries().size() + 1;
        if (!signed(batch.head())) {
            return OpenBatch.closed(batch);
        }
        OpenBatch.Listener listener = (outcome, size) -> judged(head.origin(), outcome, size);
        long before = opened[head.origin()];
        if (first - 1 > before) {
            return OpenBatch.closed(batch, listener);
        }
        opened[head.origin()] = Math.max(before, head.size());
        int skipped =
                (int) Math.max(0, Math.min(before - first + 1, batch.entries().size()));
        OpenBatch open = OpenBatch.openedFrom(batch, skipped, listener);
        for (int place = skipped; place < batch.entries().size(); place++) {
            look.at(open, place);
        }
        return open;
    }

    private void judged(int origin, BatchOutcome outcome, long size) {
        boolean taken =
                outcome == BatchOutcome.ADDED || outcome == BatchOutcome.KNOWN || outcome == BatchOutcome.PRUNED;
        opened[origin] = taken ? Math.max(opened[origin], size) : size;
    }

    @Override
    public String toString() {
        return "opened " + Arrays.toString(opened);
    }
}
