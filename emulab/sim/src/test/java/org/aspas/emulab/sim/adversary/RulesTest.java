package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;
import static org.aspas.emulab.sim.adversary.Rules.To.APPSERVERS;
import static org.aspas.emulab.sim.adversary.Rules.To.ORDER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Tick;
import org.aspas.emulab.sim.engine.Keyring;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.node.Outgoing;
import org.aspas.emulab.sim.node.Wire;
import org.junit.jupiter.api.Test;

/** What becomes of the messages of a party with rules. */
class RulesTest {
    private static final Sealer SEALER = Keyring.FAST.sealer("liar", Hash.ZERO);
    private static final Frame PULL = new Frame.Plain(new Pull(1, 5));
    private static final Frame TICK = new Frame.Sealed(SEALER.seal(new Tick(0, 7)));

    private final AdversaryContext context = new AdversaryContext(
            NodeId.appserver(0),
            SEALER,
            new Quorums(1, 1),
            new SeededRandom(1),
            () -> 0,
            new FieldCoverage(),
            Collusion.alone(SEALER));

    private static List<Outgoing> sent(Rules rules, NodeId to, Frame frame) {
        List<Outgoing> sent = new ArrayList<>();
        rules.wanted(0, new Outgoing.ToNode(to, frame, 0), sent::add);
        return sent;
    }

    private static Outgoing to(NodeId to, Frame frame, long late) {
        return new Outgoing.ToNode(to, frame, late);
    }

    @Test
    void theFirstRuleThatFitsDecidesAndWithoutOneAMessagePasses() {
        NodeId peer = NodeId.appserver(1);
        NodeId replica = NodeId.bftserver(0);
        Rules rules = new Rules(context)
                .on(Pull.class)
                .to(APPSERVERS)
                .delay(() -> 9)
                .on(Message.class)
                .drop();

        assertThat(sent(rules, peer, PULL)).containsExactly(to(peer, PULL, 9));
        assertThat(sent(rules, replica, PULL)).isEmpty();
        assertThat(sent(new Rules(context).on(Head.class).drop(), peer, PULL)).containsExactly(to(peer, PULL, 0));
    }

    @Test
    void whatIsSentInsteadIsSignedIfItsKindIs() {
        NodeId replica = NodeId.bftserver(0);
        Rules rules = new Rules(context)
                .on(Tick.class)
                .replace(tick -> with(tick, "k", tick.k() + 1))
                .on(Pull.class)
                .replace(pull -> with(pull, "origin", 2));

        assertThat(sent(rules, replica, TICK))
                .containsExactly(to(replica, new Frame.Sealed(SEALER.seal(new Tick(0, 8))), 0));
        assertThat(sent(rules, replica, PULL)).containsExactly(to(replica, new Frame.Plain(new Pull(2, 5)), 0));
    }

    @Test
    void aCommandHasRulesOfItsOwnAndPassesAsTheSameBytes() {
        byte[] command = Codec.encode(TICK);
        Rules rules = new Rules(context).on(Tick.class).to(ORDER).drop();
        List<byte[]> ordered = new ArrayList<>();
        List<Wire> words = new ArrayList<>();
        Wire word = new Wire(command);

        rules.submit(command, ordered::add);
        new Rules(context).submit(command, ordered::add);
        rules.toReplica(NodeId.bftserver(1), word, words::add);

        assertThat(ordered).hasSize(1);
        assertThat(ordered.get(0)).isSameAs(command);
        assertThat(words).containsExactly(word);
    }

    @Test
    void aRecordHasNoComponentOfAnotherName() {
        assertThatThrownBy(() -> with(new Tick(0, 7), "tick", 8)).isInstanceOf(IllegalArgumentException.class);
    }
}
