package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.WrongState;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;

/**
 * A server that accuses others of what they did not do: it gives false evidence and its verdicts of guilt to the other
 * appservers, and takes both to the bftservers, its own verdict as often as there should be different ones.
 */
final class FalseAccuser implements ByzantineBehavior {
    private static final long PAUSE = 100 * Timeline.MILLI;

    private final AdversaryContext power;
    private final FalseEvidence lies;
    private long accusedAt = Long.MIN_VALUE / 2;

    FalseAccuser(AdversaryContext power) {
        this.power = power;
        this.lies = new FalseEvidence(power);
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        if (frame instanceof Frame.Plain plain) {
            if (plain.message() instanceof Batch batch) {
                lies.batch(batch);
            } else if (plain.message() instanceof CertificateReply reply && reply.certificate() != null) {
                lies.certificate(reply.certificate());
            } else if (plain.message() instanceof WrongState proof) {
                lies.wrongState(proof);
            }
        }
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        if (message instanceof Answer answer && answer.certificate() != null) {
            lies.certificate(answer.certificate());
        } else if (message instanceof Confirmation confirmation) {
            lies.certificate(confirmation.certificate());
        }
        exit.client(connection, message);
    }

    @Override
    public boolean takes(int core, ConnectionId connection, Frame frame) {
        if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Inspect inspect) {
            lies.answer(inspect.response(), inspect.question());
        }
        return true;
    }

    @Override
    public void tick(Exit exit) {
        if (power.now().getAsLong() - accusedAt >= PAUSE) {
            accusedAt = power.now().getAsLong();
            lies.any().ifPresent(evidence -> accuse(evidence, exit));
        }
    }

    private void accuse(Evidence evidence, Exit exit) {
        Accused accused = evidence.accused();
        Signed<Blacklist> word = power.sealer()
                .seal(new Blacklist(
                        power.self().index(), Digests.evidence(evidence), accused, Blacklist.Finding.GUILTY));
        List<Signed<Blacklist>> words = new ArrayList<>();
        for (int server = 0; server < power.quorums().appservers(); server++) {
            words.add(
                    power.chance().happens(0.5)
                            ? word
                            : power.sealer()
                                    .seal(new Blacklist(
                                            server, Digests.evidence(evidence), accused, Blacklist.Finding.GUILTY)));
            NodeId to = NodeId.appserver(server);
            if (server != power.self().index()) {
                exit.node(to, new Frame.Plain(evidence), 0);
                exit.node(to, new Frame.Sealed(word), 0);
            }
        }
        Frame verdict =
                new Frame.Sealed(power.sealer().seal(new Verdict(power.self().index(), evidence, words)));
        for (int replica = 0; replica < power.quorums().bftservers(); replica++) {
            exit.node(NodeId.bftserver(replica), verdict, 0);
        }
    }
}
