package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Tick;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that changes fields of its questions, shares and commands, and signs them again with its own key; what it remembers after a
 * cold start it makes up, with the proof of a genuine content, and changes that, too.
 */
final class FuzzingReplica implements ReplicaConduct {
    private static final double CHANGED = 0.15;
    private static final double LEARNED = 0.3;
    private static final int COMMANDS_AT_ONCE = 3;
    private static final Set<Kind> TO_APPSERVERS = EnumSet.of(Kind.SHARE, Kind.BFTREQSTABLE);
    private static final Set<Kind> COMMANDS = EnumSet.of(Kind.TICK, Kind.ACCEPT, Kind.COMMIT, Kind.RECOVER);

    private final AdversaryContext power;
    private final FrameFuzzer frames;
    /** Who accepted a content, by replica. */
    private final TreeMap<Integer, Signed<Accept>> accepts = new TreeMap<>();

    private @Nullable Share share;

    FuzzingReplica(AdversaryContext power) {
        this.power = power;
        this.frames = new FrameFuzzer(power, power.self().index());
    }

    /** The bftserver that signed such a message, or below zero for one that no bftserver signs. */
    private static int signer(Message message) {
        if (message instanceof BftReqStable question) {
            return question.replica();
        } else if (message instanceof Tick tick) {
            return tick.replica();
        } else if (message instanceof Accept accept) {
            return accept.replica();
        } else if (message instanceof Commit commit) {
            return commit.replica();
        }
        return message instanceof Recover recover ? recover.replica() : -1;
    }

    @Override
    public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)) {
            exit.accept(wire);
            return;
        }
        if (power.chance().happens(LEARNED)) {
            frames.learn(accepted.value());
        }
        if (accepted.value() instanceof Frame.Plain plain && plain.message() instanceof Share own) {
            share = own;
        }
        Optional<byte[]> changed = instead(accepted.value());
        if (changed.isEmpty() || power.chance().happens(0.5)) {
            exit.accept(wire);
        }
        changed.ifPresent(bytes -> exit.accept(new Wire(bytes)));
        if (power.chance().happens(LEARNED)) {
            frames.any(TO_APPSERVERS).ifPresent(bytes -> exit.accept(new Wire(bytes)));
        }
    }

    private Optional<byte[]> instead(Frame frame) {
        return power.chance().happens(CHANGED) ? frames.changed(frame) : Optional.empty();
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        Optional<Frame> frame = Codec.decode(command).accepted();
        boolean own = frame.filter(one -> one instanceof Frame.Sealed sealed
                        && signer(sealed.signed().message()) == power.self().index())
                .isPresent();
        if (!own) {
            exit.accept(command);
            return;
        }
        frame.ifPresent(frames::learn);
        Optional<byte[]> changed = frame.flatMap(this::instead);
        if (changed.isEmpty() || power.chance().happens(0.5)) {
            exit.accept(command);
        }
        changed.ifPresent(exit);
    }

    @Override
    public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        Optional<byte[]> changed = word.command().frame().flatMap(this::instead);
        exit.accept(changed.map(Wire::new).orElse(word));
    }

    @Override
    public void ordered(Wire command) {
        if (command.decoded() instanceof Decoded.Accepted<Frame> accepted
                && accepted.value() instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof Accept accept) {
            accepts.values()
                    .removeIf(other -> !other.message().content().equals(accept.content())
                            || other.message().attempt() != accept.attempt());
            accepts.put(
                    accept.replica(),
                    new Signed<>(
                            accept, sealed.signed().payload(), sealed.signed().signature()));
        }
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        remember();
        for (int i = 0; i < COMMANDS_AT_ONCE; i++) {
            frames.any(COMMANDS).ifPresent(exit);
        }
    }

    /** A RECOVER as of one that begins anew, with the newest content and whoever was heard to accept it. */
    private void remember() {
        Share newest = share;
        if (newest != null && !accepts.isEmpty()) {
            CertificateContent content = newest.content().message();
            List<Signed<Accept>> signed = new ArrayList<>(accepts.values());
            long attempt = signed.get(0).message().attempt();
            ProvenContent proven = new ProvenContent(content, newest.content().payload(), signed);
            boolean bare = power.chance().happens(0.3);
            frames.learn(new Frame.Sealed(power.sealer()
                    .seal(new Recover(
                            power.self().index(),
                            Hash.of(power.chance().bytes(Hash.LENGTH)),
                            Hash.ZERO,
                            power.chance().happens(0.5),
                            new Epoch(content.number().value()),
                            content.number(),
                            attempt,
                            bare ? null : proven))));
        }
    }
}
