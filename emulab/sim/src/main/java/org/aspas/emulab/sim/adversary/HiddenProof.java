package org.aspas.emulab.sim.adversary;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that wants another one to be bound by its signature to a content that the others do not sign. It says no word and signs
 * nothing, until the others accept a second content under one number, the first of which is proved by nobody but it. It helps them
 * to a proof of the second, and one of them, which it confides in, to sign that. Then it shows the older proof, and helps all who accept the
 * first content after all.
 */
final class HiddenProof implements ReplicaConduct {
    private final AdversaryContext power;
    private final HeardAccepts heard;
    private @Nullable Recover own;
    private @Nullable ProvenContent hidden;
    /** Whom it gives its COMMIT to the second content; negative for nobody yet. */
    private int confidant;

    /** Who else committed to the second content. */
    private final Set<Integer> committed = new TreeSet<>();

    HiddenProof(AdversaryContext power) {
        this.power = power;
        this.heard = new HeardAccepts(power);
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        Wire wire = new Wire(command);
        heard.see(wire);
        Message message = BadReplica.sealed(wire);
        if (message instanceof Recover statement) {
            own = statement;
            exit.accept(Codec.encode(power.sealer().seal(withoutProof(statement))));
        } else if (!BadReplica.isWord(message) || isAgain(message)) {
            exit.accept(command);
        }
    }

    /** A word of what was proved before, and is certified again after a cold start: it helps to that. */
    private boolean isAgain(@Nullable Message word) {
        return word instanceof Accept accept && heard.number().isAfter(accept.number())
                || word instanceof Commit commit && heard.number().isAfter(commit.number());
    }

    private static Recover withoutProof(Recover statement) {
        return new Recover(
                statement.replica(),
                statement.start(),
                statement.answers(),
                statement.knowing(),
                statement.epoch(),
                statement.number(),
                statement.attempt(),
                null);
    }

    @Override
    public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        if (isAgain(BadReplica.sealed(word))) {
            exit.accept(word);
        }
    }

    @Override
    public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
        boolean share = wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                && accepted.value() instanceof Frame.Plain plain
                && plain.message() instanceof Share;
        if (!share) {
            exit.accept(wire);
        }
    }

    @Override
    public void heard(Wire word, BiConsumer<NodeId, Wire> exit) {
        heard.see(word);
        Message message = BadReplica.sealed(word);
        if (message instanceof Accept accept && accept.number().equals(heard.number())) {
            hide(accept);
            answer(accept, exit);
        } else if (message instanceof Commit commit && isSecond(commit.number(), commit.content())) {
            committed.add(commit.replica());
        }
    }

    @Override
    public void ordered(Wire command) {
        heard.see(command);
    }

    /** Another content than the one that is accepted now, of which it can make a proof from an earlier attempt. */
    private void hide(Accept newer) {
        if (hidden == null || !hidden.number().equals(newer.number())) {
            hidden = null;
            confidant = -1;
            committed.clear();
            heard.all().forEach((hash, attempts) -> {
                if (!hash.equals(newer.content())) {
                    attempts.headMap(newer.attempt()).forEach((attempt, words) -> hide(hash, attempt, words));
                }
            });
        }
    }

    private void hide(Hash hash, long attempt, Map<Integer, Signed<Accept>> words) {
        if (heard.enough(words)) {
            heard.proof(hash, attempt, words).ifPresent(proof -> hidden = proof);
        }
    }

    private boolean isSecond(CertificateNumber number, Hash content) {
        return hidden != null
                && hidden.number().equals(number)
                && !hidden.hash().equals(content);
    }

    private void answer(Accept accept, BiConsumer<NodeId, Wire> exit) {
        ProvenContent first = hidden;
        if (first == null || accept.attempt() <= first.attempt()) {
            return;
        }
        int self = power.self().index();
        NodeId to = NodeId.bftserver(accept.replica());
        exit.accept(to, sealed(new Accept(self, accept.number(), accept.attempt(), accept.content())));
        boolean second = !first.hash().equals(accept.content());
        if (second && confidant < 0) {
            confidant = accept.replica();
        }
        if (!second || confidant == accept.replica()) {
            exit.accept(to, sealed(new Commit(self, accept.number(), accept.attempt(), accept.content())));
        }
    }

    private Wire sealed(Message word) {
        return Wire.of(power.sealer().seal(word));
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        Recover mine = own;
        ProvenContent first = hidden;
        if (mine != null
                && first != null
                && committed.size() + 1 >= power.quorums().bftserverQuorum()) {
            exit.accept(Codec.encode(power.sealer().seal(HeardAccepts.holding(mine, first))));
        }
    }
}
