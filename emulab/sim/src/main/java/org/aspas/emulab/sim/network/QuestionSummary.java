package org.aspas.emulab.sim.network;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPart;
import org.aspas.certify.wire.SnapshotPull;

/** What questions and their answers say, in a few words for people who read a trace. */
final class QuestionSummary {
    private static final int DIGITS = 8;

    private QuestionSummary() {}

    /** The words; empty for a kind that has none. */
    static String of(Message message) {
        if (message instanceof Hello hello) {
            return "of appserver-" + hello.server();
        } else if (message instanceof Read read) {
            return read.key() + (read.certified() ? ", certified" : ", local");
        } else if (message instanceof AskStanding question) {
            return "about " + question.updates().size() + " updates";
        } else if (message instanceof Inspect question) {
            return "the answer of appserver-" + question.response().message().server() + " to "
                    + question.response().message().reference();
        } else if (message instanceof InspectReply reply) {
            return reply.outcome().name();
        } else if (message instanceof Blacklist verdict) {
            return verdict.finding() + ": " + accused(verdict.accused()) + ", evidence " + digits(verdict.evidence());
        } else if (message instanceof CertifiedEntries entries) {
            return entries.entries().size() + " entries of appserver-" + entries.origin();
        } else if (message instanceof GetCertificate question) {
            return "certificate " + question.number();
        } else if (message instanceof CertificateReply reply) {
            return reply.certificate() == null ? "none" : "certificate " + reply.number();
        }
        return message instanceof SnapshotPart part ? ofSnapshot(part) : "";
    }

    private static String ofSnapshot(SnapshotPart part) {
        if (part instanceof SnapshotPull question) {
            return question.place() == null ? "the head" : "a chunk of certificate " + question.number();
        } else if (part instanceof SnapshotHead head) {
            return head.certificate() == null
                    ? "none"
                    : "certificate " + head.certificate().number();
        } else if (part instanceof SnapshotChunk chunk) {
            return "certificate " + chunk.number() + ", " + chunk.leaves().size() + " leaves";
        }
        return "";
    }

    /** Whom evidence accuses: of a client, the first digits of its key. */
    static String accused(Accused accused) {
        return accused instanceof Accused.Client one
                ? "client " + one.id().key().toString().substring(0, DIGITS)
                : accused.toString();
    }

    static String digits(Hash hash) {
        return hash.toString().substring(0, DIGITS);
    }
}
