package org.aspas.appserver.core;

import java.util.Optional;
import org.aspas.appserver.core.broadcast.Broadcaster;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.GetCertificate;

/** Asks peers for the certificate that follows the newest adopted one, when it exists and did not come. For one thread. */
final class CertificatePuller extends CorePart {
    private static final long ASK_MILLIS = 200;

    private final CertifiedHistory history;
    private final Certification certification;
    private final Broadcaster broadcaster;
    /** So long the next certificate may wait here for its entries: whoever has them has it, too. */
    private static final long STUCK_MILLIS = 1_000;

    private long askedAt = Long.MIN_VALUE / 2;
    private long movedAt = Long.MIN_VALUE / 2;
    private CertificateNumber newest = CertificateNumber.NONE;

    CertificatePuller(
            CoreContext context, CertifiedHistory history, Certification certification, Broadcaster broadcaster) {
        super(context);
        this.history = history;
        this.certification = certification;
        this.broadcaster = broadcaster;
    }

    /** Asks if a peer told of a later certificate, or entries lack one, and not too often. */
    void tick() {
        if (!history.number().equals(newest)) {
            newest = history.number();
            movedAt = time.now();
        }
        boolean told = broadcaster.holderOfCertificate(history.number().next()).isPresent();
        if ((told || certification.lacks()) && time.now() - askedAt >= ASK_MILLIS) {
            ask();
        }
    }

    /** Asks a peer that told of it, unless it is here already, and entries for it come. */
    void ask() {
        CertificateNumber next = history.number().next();
        Optional<NodeId> holder = certification.waiting(next) && time.now() - movedAt < STUCK_MILLIS
                ? Optional.empty()
                : broadcaster.holderOfCertificate(next);
        holder.ifPresent(peer -> {
            askedAt = time.now();
            outbox.node(peer, new GetCertificate(next));
        });
    }
}
