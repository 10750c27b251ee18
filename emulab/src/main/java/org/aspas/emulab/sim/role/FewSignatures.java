package org.aspas.emulab.sim.role;

import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Message;
import org.aspas.emulab.sim.node.ServerConduct;

/**
 * A server that gives clients and servers certificates with fewer signatures than make one, each of them genuine: of
 * another content, if a bftserver signed one, and else some of those of the right one.
 */
final class FewSignatures implements ServerConduct {
    private final Power power;
    private final Answers answers;
    private final HeardShares shares = new HeardShares();

    FewSignatures(Power power) {
        this.power = power;
        this.answers = new Answers(power.sealer());
    }

    private Certificate lie(Certificate genuine) {
        return shares.against(genuine.content()).orElseGet(() -> {
            int kept = 1 + power.chance().index(power.quorums().bftserverQuorum() - 1);
            return new Certificate(
                    genuine.content(), genuine.payload(), genuine.signatures().subList(0, kept));
        });
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        shares.heard(frame);
    }

    @Override
    public void toClient(int core, long connection, Message message, Exit exit) {
        if (message instanceof Answer answer && answer.certificate() != null) {
            Certificate lie = lie(answer.certificate());
            Answer changed = answers.changed(answer, Answers.edit(answer).naming(lie));
            exit.client(connection, answers.with(changed, lie));
        } else if (message instanceof Confirmation confirmation) {
            exit.client(connection, new Confirmation(lie(confirmation.certificate()), confirmation.covered()));
        } else {
            exit.client(connection, message);
        }
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        if (frame instanceof Frame.Plain plain
                && plain.message() instanceof CertificateReply reply
                && reply.certificate() != null) {
            exit.node(to, new Frame.Plain(new CertificateReply(reply.number(), lie(reply.certificate()))), 0);
        } else {
            exit.node(to, frame, 0);
        }
    }
}
