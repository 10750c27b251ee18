package org.aspas.emulab.sim.adversary;

import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/** A server that gives clients and servers another certificate wherever a correct one gives a genuine one. */
abstract class WrongCertificates implements ByzantineBehavior {
    private final Answers answers;

    WrongCertificates(AdversaryContext power) {
        this.answers = new Answers(power.sealer());
    }

    /** The certificate that it gives in place of the genuine one. */
    abstract Certificate lie(Certificate genuine);

    /** The answer that comes with such a lie: the same unless the server signs another one that names it. */
    Answer with(Certificate lie, Answer answer) {
        return answer;
    }

    final Answers answers() {
        return answers;
    }

    @Override
    public final void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        if (message instanceof Answer answer && answer.certificate() != null) {
            Certificate lie = lie(answer.certificate());
            exit.client(connection, answers.with(with(lie, answer), lie));
        } else if (message instanceof Confirmation confirmation) {
            exit.client(
                    connection,
                    new Confirmation(confirmation.client(), lie(confirmation.certificate()), confirmation.covered()));
        } else {
            exit.client(connection, message);
        }
    }

    @Override
    public final void toNode(int core, NodeId to, Frame frame, Exit exit) {
        if (frame instanceof Frame.Plain plain
                && plain.message() instanceof CertificateReply reply
                && reply.certificate() != null) {
            exit.node(to, new Frame.Plain(new CertificateReply(reply.number(), lie(reply.certificate()))), 0);
        } else {
            exit.node(to, frame, 0);
        }
    }

    /** The same content, but for another state. */
    static CertificateContent withState(CertificateContent content, Hash state) {
        return new CertificateContent(
                content.deployment(),
                content.number(),
                content.previous(),
                content.version(),
                content.roots(),
                state,
                content.exclusions());
    }
}
