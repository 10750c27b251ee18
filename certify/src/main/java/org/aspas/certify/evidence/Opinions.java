package org.aspas.certify.evidence;

import java.util.Optional;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.quorum.Quorums;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;

/** Evidence that rests on what f+1 other servers found. */
final class Opinions {
    private final Quorums quorums;
    private final Signatories signatories;

    Opinions(Quorums quorums, Signatories signatories) {
        this.quorums = quorums;
        this.signatories = signatories;
    }

    Optional<String> unfounded(WrongState evidence) {
        Stable accused = evidence.stable().message();
        if (evidence.others().size() < quorums.oneCorrectAppserver()) {
            return EvidenceJudge.why("fewer than f+1 others");
        }
        if (!signatories.appserver(accused.server(), evidence.stable(), Domain.STABLE)) {
            return EvidenceJudge.why("the STABLE is not signed by its server");
        }
        Stable first = evidence.others().get(0).message();
        int last = -1;
        for (Signed<Stable> other : evidence.others()) {
            Stable stable = other.message();
            boolean counts = stable.server() > last
                    && stable.server() != accused.server()
                    && equalButState(accused, stable)
                    && stable.state().equals(first.state())
                    && signatories.appserver(stable.server(), other, Domain.STABLE);
            if (!counts) {
                return EvidenceJudge.why("the STABLE of another server does not fit");
            }
            last = stable.server();
        }
        return first.state().equals(accused.state()) ? EvidenceJudge.why("the states are equal") : Optional.empty();
    }

    private static boolean equalButState(Stable one, Stable other) {
        return one.epoch().equals(other.epoch())
                && one.round() == other.round()
                && one.previous().equals(other.previous())
                && one.version().equals(other.version())
                && one.roots().equals(other.roots())
                && one.closed().equals(other.closed())
                && one.closedRoots().equals(other.closedRoots());
    }

    Optional<String> unfounded(WrongAnswer evidence) {
        Response response = evidence.response().message();
        if (evidence.replies().size() < quorums.oneCorrectAppserver()) {
            return EvidenceJudge.why("fewer than f+1 replies");
        }
        if (!signatories.appserver(response.server(), evidence.response(), Domain.RESPONSE)) {
            return EvidenceJudge.why("the answer is not signed by its server");
        }
        if (!Questions.answers(response, evidence.question())) {
            return EvidenceJudge.why("the answer is to another question");
        }
        int last = -1;
        for (Signed<InspectReply> signed : evidence.replies()) {
            InspectReply reply = signed.message();
            boolean counts = reply.server() > last
                    && reply.server() != response.server()
                    && reply.outcome() == InspectReply.Outcome.DIFFERS
                    && reply.answer().equals(evidence.response().identity())
                    && reply.roots().equals(response.roots())
                    && signatories.appserver(reply.server(), signed, Domain.INSPECTREPLY);
            if (!counts) {
                return EvidenceJudge.why("the reply of a server does not fit");
            }
            last = reply.server();
        }
        return Optional.empty();
    }
}
