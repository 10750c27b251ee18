package org.aspas.appserver.core.complaint;

import java.util.Optional;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.wire.Blacklist.Finding;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.WrongAnswer;

/** What this server finds of evidence: by signatures, and by its own recomputation where these do not suffice. For one thread. */
final class EvidenceFindings {
    private final EvidenceJudge judge;
    private final Inspector inspector;

    EvidenceFindings(CoreSettings settings, Inspector inspector) {
        this.inspector = inspector;
        this.judge = new EvidenceJudge(
                settings.quorums(),
                settings.appserverKeys(),
                settings.bftserverKeys(),
                settings.admits(),
                settings.verifier());
    }

    /**
     * What this server finds; empty for what names an incarnation of an appserver that is not open here.
     *
     * @param recomputed whether this server recomputed the answer before, and found another one
     */
    Optional<Finding> of(Evidence evidence, boolean recomputed) {
        Judgement judgement = judge.judge(evidence);
        if (judgement instanceof Judgement.CannotConfirm) {
            return Optional.empty();
        }
        if (judgement instanceof Judgement.Guilty) {
            return Optional.of(Finding.GUILTY);
        }
        if (judgement instanceof Judgement.NeedsReplay && evidence instanceof WrongAnswer wrong) {
            boolean differs =
                    recomputed || inspector.inspect(wrong.response(), wrong.question()) == InspectReply.Outcome.DIFFERS;
            return Optional.of(differs ? Finding.GUILTY : Finding.UNCONFIRMED);
        }
        return Optional.of(Finding.FALSE);
    }
}
