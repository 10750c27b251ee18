package org.aspas.emulab.sim.adversary;

import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.Wire;

/**
 * A bftserver that wants the others to go different ways on words that come before the order: it gives some of them its right
 * word, some nothing, some a word of another content or attempt, or one whose signature is wrong; it commits to what it has no proof
 * of; and half of its words it never gives to the order.
 */
final class EarlyLies implements ReplicaConduct {
    private static final int WAYS = 6;

    private final AdversaryContext power;

    EarlyLies(AdversaryContext power) {
        this.power = power;
    }

    private static Message message(Wire wire) {
        return wire.command().frame().orElseThrow() instanceof Frame.Sealed sealed
                ? sealed.signed().message()
                : ((Frame.Plain) wire.command().frame().orElseThrow()).message();
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        Message message = message(new Wire(command));
        if (!BadReplica.isWord(message) || power.chance().happens(0.5)) {
            exit.accept(command);
        }
        if (message instanceof Accept accept && power.chance().happens(0.5)) {
            exit.accept(Codec.encode(power.sealer().seal(committing(accept))));
        }
    }

    @Override
    public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        Message message = message(word);
        switch (power.chance().index(WAYS)) {
            case 0 -> exit.accept(Wire.of(power.sealer().seal(elsewhere(message))));
            case 1 -> exit.accept(new Wire(Noise.mutated(power, word.bytes())));
            case 2 -> {
                // Nothing.
            }
            default -> exit.accept(word);
        }
        if (message instanceof Accept accept && power.chance().happens(0.5)) {
            exit.accept(Wire.of(power.sealer().seal(committing(accept))));
        }
    }

    private static Commit committing(Accept accept) {
        return new Commit(accept.replica(), accept.number(), accept.attempt(), accept.content());
    }

    /** The same of another content, or of a later attempt. */
    private Message elsewhere(Message message) {
        long later = power.chance().between(0, 1);
        Hash other = Hash.of(power.chance().bytes(Hash.LENGTH));
        if (message instanceof Accept accept) {
            Hash content = later == 0 ? other : accept.content();
            return new Accept(accept.replica(), accept.number(), accept.attempt() + later, content);
        }
        Commit commit = (Commit) message;
        Hash content = later == 0 ? other : commit.content();
        return new Commit(commit.replica(), commit.number(), commit.attempt() + later, content);
    }
}
