package org.aspas.emulab.sim.adversary;

import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Frame;

/**
 * A server that gives clients and servers certificates with fewer signatures than make one, each of them genuine: of
 * another content, if a bftserver signed one, and else some of those of the right one.
 */
final class FewSignatures extends WrongCertificates {
    private final AdversaryContext power;
    private final HeardShares shares = new HeardShares();

    FewSignatures(AdversaryContext power) {
        super(power);
        this.power = power;
    }

    @Override
    Certificate lie(Certificate genuine) {
        return shares.against(genuine.content()).orElseGet(() -> {
            int kept = 1 + power.chance().index(power.quorums().bftserverQuorum() - 1);
            return new Certificate(
                    genuine.content(), genuine.payload(), genuine.signatures().subList(0, kept));
        });
    }

    @Override
    Answer with(Certificate lie, Answer answer) {
        return answers().changed(answer, Answers.edit(answer).naming(lie));
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        shares.heard(frame);
    }
}
