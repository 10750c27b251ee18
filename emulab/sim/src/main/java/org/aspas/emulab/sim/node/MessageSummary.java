package org.aspas.emulab.sim.node;

import java.util.stream.Collectors;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPart;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.value.Operation;

/** What a message says, in a few words for people who read a trace. */
final class MessageSummary {
    private static final int LONGEST = 60;

    private MessageSummary() {}

    /** The words; empty for a kind that has none. */
    static String of(Message message) {
        String client = ofClient(message);
        return client.isEmpty() ? ofServer(message) : client;
    }

    private static String ofClient(Message message) {
        if (message instanceof Request request) {
            return "number " + request.number() + ", " + request.key() + " " + words(request.operation());
        } else if (message instanceof OpenSession session) {
            return "number " + session.number() + ", tolerance "
                    + (session.tolerance() == OpenSession.UNBOUNDED ? "unbounded" : session.tolerance());
        } else if (message instanceof Answer answer) {
            return words(answer.response().message());
        } else if (message instanceof Refusal refusal) {
            return "of " + refusal.reference() + ": " + refusal.reason();
        } else if (message instanceof Standing standing) {
            return "holds " + standing.updates().size() + " of the updates asked for";
        } else if (message instanceof Confirmation confirmation) {
            return "certificate " + confirmation.certificate().content().number() + " covers numbers "
                    + confirmation.covered().stream()
                            .map(one -> String.valueOf(one.number()))
                            .collect(Collectors.joining(", "));
        } else if (message instanceof Complain complaint) {
            return words(complaint.evidence());
        }
        return "";
    }

    private static String ofServer(Message message) {
        if (message instanceof Batch batch) {
            return batch.entries().size() + " entries up to "
                    + batch.head().message().origin() + ":"
                    + batch.head().message().size();
        } else if (message instanceof Frontier frontier) {
            return "version " + frontier.version() + ", certificate " + frontier.certificate();
        } else if (message instanceof Pull pull) {
            return "entries after " + pull.origin() + ":" + pull.after();
        } else if (message instanceof VertObft report) {
            return "version " + report.version();
        } else if (message instanceof BftReqStable question) {
            return "certificate " + question.number() + ", version " + question.version();
        } else if (message instanceof Stable stable) {
            return "version " + stable.version() + ", state " + QuestionSummary.digits(stable.state());
        } else if (message instanceof Share share) {
            return words(share.content().message());
        } else if (message instanceof Verdict verdict) {
            return words(verdict.evidence())
                    + (verdict.verdicts().isEmpty()
                            ? ""
                            : ", as " + verdict.verdicts().size() + " appservers find");
        } else if (message instanceof Evidence evidence) {
            return words(evidence);
        }
        return ofBftserver(message);
    }

    private static String ofBftserver(Message message) {
        if (message instanceof Tick tick) {
            return "bftserver-" + tick.replica() + ": step " + tick.k();
        } else if (message instanceof Accept accept) {
            return "bftserver-" + accept.replica() + ": certificate " + accept.number() + ", attempt "
                    + accept.attempt() + ", content " + QuestionSummary.digits(accept.content());
        } else if (message instanceof Commit commit) {
            return "bftserver-" + commit.replica() + ": certificate " + commit.number() + ", attempt "
                    + commit.attempt() + ", content " + QuestionSummary.digits(commit.content());
        } else if (message instanceof Recover recover) {
            return "bftserver-" + recover.replica() + ": record " + (recover.knowing() ? "complete" : "not complete")
                    + ", last certificate " + recover.number()
                    + (recover.proven() == null ? "" : ", with its proof");
        }
        return QuestionSummary.of(message);
    }

    private static String words(Operation operation) {
        String arguments = operation.arguments().toString();
        return operation.name() + " "
                + (arguments.length() > LONGEST ? arguments.substring(0, LONGEST) + " ..." : arguments);
    }

    private static String words(Response response) {
        return "to " + response.reference() + (response.dot() == null ? "" : ": entry " + response.dot()) + ", result "
                + response.result() + ", version " + response.version() + ", certificate " + response.certificate();
    }

    private static String words(CertificateContent content) {
        return "certificate " + content.number() + ", version " + content.version()
                + (content.exclusions().isEmpty()
                        ? ""
                        : ", without "
                                + content.exclusions().stream()
                                        .map(one -> "appserver-" + one.origin() + " after " + one.cut())
                                        .collect(Collectors.joining(", ")));
    }

    private static String words(Evidence evidence) {
        return evidence.kind() + " against " + QuestionSummary.accused(evidence.accused());
    }

    /** What questions and their answers say, in a few words for people who read a trace. */
    private static final class QuestionSummary {
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
                return "the answer of appserver-"
                        + question.response().message().server() + " to "
                        + question.response().message().reference();
            } else if (message instanceof InspectReply reply) {
                return reply.outcome().name();
            } else if (message instanceof Blacklist verdict) {
                return verdict.finding() + ": " + accused(verdict.accused()) + ", evidence "
                        + digits(verdict.evidence());
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
}
