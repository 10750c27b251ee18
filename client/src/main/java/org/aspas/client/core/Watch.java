package org.aspas.client.core;

import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.Blacklist;
import org.aspas.certify.message.InspectReply;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Standing;
import org.jspecify.annotations.Nullable;

/** All that the client does beside its session: what it asks other servers, and what it makes of their answers. */
final class Watch {
    private final Others others;
    private final Grace grace;
    private final FirstContact firstContact;
    private final Inspection inspection;
    private final Complaints complaints;

    Watch(Others others, Grace grace, FirstContact firstContact, Inspection inspection, Complaints complaints) {
        this.others = others;
        this.grace = grace;
        this.firstContact = firstContact;
        this.inspection = inspection;
        this.complaints = complaints;
    }

    /** Whether certified reads need not wait. */
    boolean newestKnown() {
        return firstContact.over();
    }

    void progress() {
        grace.progress();
    }

    void switched() {
        grace.switched();
    }

    void tick(@Nullable PendingUpdate oldest) {
        firstContact.tick();
        grace.tick(oldest);
        inspection.tick();
        complaints.tick();
    }

    /** Takes a frame of another server. Greetings, refusals and whatever is not signed by it say nothing. */
    void frame(int server, Frame frame) {
        if (!(frame instanceof Frame.Sealed sealed) || !others.servers.exists(server)) {
            return;
        }
        Message message = sealed.signed().message();
        boolean expected = (message instanceof Standing standing
                        && standing.server() == server
                        && standing.client().equals(others.self))
                || (message instanceof InspectReply reply
                        && reply.server() == server
                        && reply.client().equals(others.self))
                || (message instanceof Blacklist verdict && verdict.server() == server);
        if (expected && others.signedBy(server, sealed.signed())) {
            take(sealed.signed());
        }
    }

    private void take(Signed<? extends Message> signed) {
        Message message = signed.message();
        if (message instanceof Standing standing) {
            grace.standing(standing);
            firstContact.standing(standing);
        } else if (message instanceof InspectReply reply) {
            inspection.reply(new Signed<>(reply, signed.payload(), signed.signature()));
        } else if (message instanceof Blacklist verdict) {
            complaints.verdict(verdict);
        }
    }
}
