package org.aspas.client.core;

import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;

/** Watches the present server beside the session: asks the others, and it too, and takes what they say. */
public final class ServerMonitor {
    private final PeerQueries peers;
    private final UnconfirmedTimeout unconfirmed;
    private final NewestCertificateQuery newestCertificate;
    private final StaleServerCheck stale;
    private final ResponseTimeout response;
    private final Updates updates;
    private final Inspections inspections;
    private final Complaints complaints;

    public ServerMonitor(
            PeerQueries peers,
            UnconfirmedTimeout unconfirmed,
            NewestCertificateQuery newestCertificate,
            StaleServerCheck stale,
            ResponseTimeout response,
            Updates updates,
            Inspections inspections,
            Complaints complaints) {
        this.peers = peers;
        this.unconfirmed = unconfirmed;
        this.newestCertificate = newestCertificate;
        this.stale = stale;
        this.response = response;
        this.updates = updates;
        this.inspections = inspections;
        this.complaints = complaints;
    }

    /** Whether certified reads need not wait. */
    public boolean newestKnown() {
        return newestCertificate.over();
    }

    public void progress() {
        unconfirmed.progress();
    }

    public void switched() {
        unconfirmed.switched();
        stale.switched();
    }

    public void tick() {
        newestCertificate.tick();
        unconfirmed.tick();
        stale.tick();
        inspections.tick();
        complaints.tick();
    }

    /** Takes a frame that a server sent beside the session. Greetings, refusals and whatever is not signed by it say nothing. */
    public void frame(int server, Frame frame) {
        if (!(frame instanceof Frame.Sealed sealed) || !peers.servers().exists(server)) {
            return;
        }
        Message message = sealed.signed().message();
        boolean expected = (message instanceof Standing standing
                        && standing.server() == server
                        && standing.client().sameKey(peers.self()))
                || (message instanceof InspectReply reply
                        && reply.server() == server
                        && reply.client().equals(peers.self()))
                || (message instanceof Blacklist verdict && verdict.server() == server);
        if (expected && peers.signedBy(server, sealed.signed())) {
            take(sealed.signed());
        }
    }

    private void take(Signed<? extends Message> signed) {
        Message message = signed.message();
        if (message instanceof Standing standing) {
            newestCertificate.standing(standing);
            stale.standing(standing);
            if (standing.server() == peers.servers().current()) {
                updates.standing(standing);
            } else { // The present server is no witness for itself.
                unconfirmed.standing(standing);
                response.standing(standing);
            }
        } else if (message instanceof InspectReply reply) {
            inspections.reply(new Signed<>(reply, signed.payload(), signed.signature()));
        } else if (message instanceof Blacklist verdict) {
            complaints.verdict(verdict);
        }
    }
}
