package org.aspas.certify.machine;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;

/** Whether a VERDICT convicts: by its evidence alone, or by f+1 appservers that recomputed. */
final class VerdictCheck {
    private final Membership members;
    private final EvidenceJudge judge;

    VerdictCheck(Membership members) {
        this.members = members;
        this.judge = new EvidenceJudge(
                members.quorums(), members.appservers(), members.bftservers(), members.admits(), members.verifier());
    }

    Optional<Rejection> verdict(MachineState state, Verdict verdict, Signed<?> signed) {
        if (!members.isAppserver(verdict.server())) {
            return Optional.of(Rejection.UNKNOWN_SIGNER);
        }
        Convictions convictions = state.convictions();
        if (convictions.convicted(verdict.server())) {
            return Optional.of(Rejection.EXCLUDED);
        }
        if (!(verdict.evidence().accused() instanceof Accused.Server accused)
                || !members.isAppserver(accused.index())) {
            return Optional.of(Rejection.INCONSISTENT);
        }
        if (convictions.convicted(accused.index())) {
            return Optional.of(Rejection.STALE);
        }
        if (!members.byAppserver(verdict.server(), signed, Domain.VERDICT)) {
            return Optional.of(Rejection.BAD_SIGNATURE);
        }
        Judgement judgement = judge.judge(verdict.evidence());
        boolean proved = judgement instanceof Judgement.Guilty
                || (judgement instanceof Judgement.NeedsReplay && agreed(verdict, accused, convictions));
        return proved ? Optional.empty() : Optional.of(Rejection.UNPROVED);
    }

    private boolean agreed(Verdict verdict, Accused.Server accused, Convictions convictions) {
        Hash evidence = Digests.evidence(verdict.evidence());
        Set<Integer> judges = new TreeSet<>();
        for (Signed<Blacklist> signed : verdict.verdicts()) {
            Blacklist word = signed.message();
            boolean counts = members.isAppserver(word.server())
                    && word.server() != accused.index()
                    && !convictions.convicted(word.server())
                    && word.finding() == Blacklist.Finding.GUILTY
                    && word.evidence().equals(evidence)
                    && word.accused().equals(accused)
                    && members.byAppserver(word.server(), signed, Domain.BLACKLIST);
            if (counts) {
                judges.add(word.server());
            }
        }
        return judges.size() >= members.quorums().oneCorrectAppserver();
    }
}
