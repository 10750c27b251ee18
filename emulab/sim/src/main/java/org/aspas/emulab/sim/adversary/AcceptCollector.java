package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.emulab.sim.node.ReplicaBehavior;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that keeps what the others ever accepted under the newest number, and makes proofs of it with ACCEPTs of its own: the base of
 * two roles.
 */
abstract class AcceptCollector implements ReplicaBehavior {
    private static final int CONTENTS = 64;

    final AdversaryContext context;
    /** What appservers said, from which the contents follow. */
    private final Map<Hash, Stable> stables = new LinkedHashMap<>();
    /** The ACCEPTs of others under the newest number: by content and attempt, by replica. */
    final Map<Hash, TreeMap<Long, Map<Integer, Signed<Accept>>>> accepts = new LinkedHashMap<>();
    /** The newest number of which anything was accepted. */
    CertificateNumber number = CertificateNumber.NONE;
    /** What its core said last of its record. */
    private @Nullable Recover own;

    AcceptCollector(AdversaryContext context) {
        this.context = context;
    }

    /** Does with a command of its core what the role does, once it has been seen. */
    abstract void submit(Message message, byte[] command, Consumer<byte[]> exit);

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        Wire wire = new Wire(command);
        ordered(wire);
        Message message = wire.command().frame().orElseThrow().message();
        if (message instanceof Recover statement) {
            own = statement;
        }
        submit(message, command, exit);
    }

    @Override
    public void heard(Wire word, BiConsumer<NodeId, Wire> exit) {
        ordered(word);
    }

    @Override
    public void ordered(Wire wire) {
        Frame frame = wire.command().frame().orElse(null);
        if (frame instanceof Frame.Sealed sealed && frame.message() instanceof Accept accept) {
            if (accept.replica() != context.self().index()) {
                keep(accept, sealed.signed().as(Accept.class).orElseThrow());
            }
        } else if (frame != null && frame.message() instanceof Stable stable) {
            keep(stable);
        }
    }

    private void keep(Stable stable) {
        stables.put(stable.state(), stable);
        if (stables.size() > CONTENTS) {
            stables.remove(stables.keySet().iterator().next());
        }
    }

    private void keep(Accept accept, Signed<Accept> signed) {
        if (accept.number().isAfter(number)) {
            number = accept.number();
            accepts.clear();
        }
        if (accept.number().equals(number)) {
            accepts.computeIfAbsent(accept.content(), any -> new TreeMap<>())
                    .computeIfAbsent(accept.attempt(), any -> new TreeMap<>())
                    .put(accept.replica(), signed);
        }
    }

    /** Whether others' ACCEPTs and one of its own are enough for a proof. */
    final boolean enough(Map<Integer, Signed<Accept>> others) {
        return others.size() + 1 >= context.quorums().bftserverQuorum();
    }

    /** The ACCEPTs of others, and one of its own in an attempt; empty when it has not seen the content. */
    final Optional<ProvenContent> proof(Hash hash, long mine, Map<Integer, Signed<Accept>> others) {
        return content(hash).map(content -> {
            Map<Integer, Signed<Accept>> all = new TreeMap<>(others);
            int self = context.self().index();
            all.put(self, context.sealer().seal(new Accept(self, number, mine, hash)));
            return new ProvenContent(
                    content, Codec.encode(content), all.values().stream().toList());
        });
    }

    private Optional<CertificateContent> content(Hash hash) {
        return stables.values().stream()
                .map(stable -> new CertificateContent(
                        context.sealer().deployment(),
                        number,
                        stable.previous(),
                        stable.closed(),
                        stable.closedRoots(),
                        stable.state(),
                        List.of()))
                .filter(content -> Hash.sha256(Codec.encode(content)).equals(hash))
                .findFirst();
    }

    /** Says that its record holds this proof. */
    final void claim(ProvenContent proof, Consumer<byte[]> exit) {
        if (own != null) {
            Recover holding = with(own, "number", proof.number(), "attempt", proof.attempt(), "proven", proof);
            exit.accept(Codec.encode(context.frame(with(holding, "answers", Hash.ZERO, "knowing", true))));
        }
    }

    /**
     * Gives none of its own words to anybody. It says that its record holds proofs, whenever it says anything: of a content that the others
     * gave up before any of them had its proof, as it is; and of any content under a higher attempt than the others accepted it in, which its
     * own ACCEPT names where its index is below theirs.
     */
    static final class OldAccepts extends AcceptCollector {
        OldAccepts(AdversaryContext context) {
            super(context);
        }

        @Override
        void submit(Message message, byte[] command, Consumer<byte[]> exit) {
            if (ReplicaRoles.isWord(message)) {
                tick(exit);
            } else {
                exit.accept(command);
            }
        }

        @Override
        public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
            // Its own words help nobody to a proof.
        }

        @Override
        public void tick(Consumer<byte[]> exit) {
            long higher = 1
                    + accepts.values().stream()
                            .mapToLong(TreeMap::lastKey)
                            .max()
                            .orElse(0);
            accepts.forEach((hash, byAttempt) -> byAttempt.forEach((then, words) -> {
                if (enough(words)) {
                    if (accepts.size() > 1) {
                        proof(hash, then, words).ifPresent(proof -> claim(proof, exit));
                    }
                    proof(hash, higher, words).ifPresent(proof -> claim(proof, exit));
                }
            }));
        }
    }

    /**
     * Wants another bftserver to be bound by its signature to a content that the others do not sign. It says no word and signs nothing, until
     * the others accept a second content under one number, the first of which is proved by nobody but it. It helps them to a proof of the
     * second, and one of them, which it confides in, to sign that. Then it shows the older proof, and helps all who accept the first content
     * after all.
     */
    static final class HiddenProof extends AcceptCollector {
        private @Nullable ProvenContent hidden;
        /** Whom it gives its COMMIT to the second content; negative for nobody yet. */
        private int confidant;
        /** Who else committed to the second content. */
        private final Set<Integer> committed = new TreeSet<>();

        HiddenProof(AdversaryContext context) {
            super(context);
        }

        @Override
        void submit(Message message, byte[] command, Consumer<byte[]> exit) {
            if (message instanceof Recover statement) {
                exit.accept(Codec.encode(context.frame(with(statement, "proven", null))));
            } else if (!ReplicaRoles.isWord(message) || isAgain(message)) {
                exit.accept(command);
            }
        }

        /** A word of what was proved before, and is certified again after a cold start: it helps to that. */
        private boolean isAgain(@Nullable Message word) {
            return word instanceof Accept accept && number.isAfter(accept.number())
                    || word instanceof Commit commit && number.isAfter(commit.number());
        }

        @Override
        public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
            if (isAgain(ReplicaRoles.message(word))) {
                exit.accept(word);
            }
        }

        @Override
        public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
            if (!(ReplicaRoles.message(wire) instanceof Share)) {
                exit.accept(wire);
            }
        }

        @Override
        public void heard(Wire word, BiConsumer<NodeId, Wire> exit) {
            ordered(word);
            Message message = ReplicaRoles.message(word);
            if (message instanceof Accept accept && accept.number().equals(number)) {
                hide(accept);
                answer(accept, exit);
            } else if (message instanceof Commit commit && isSecond(commit)) {
                committed.add(commit.replica());
            }
        }

        /** Another content than the one that is accepted now, of which it can make a proof from an earlier attempt. */
        private void hide(Accept newer) {
            if (hidden == null || !hidden.number().equals(newer.number())) {
                hidden = null;
                confidant = -1;
                committed.clear();
                accepts.forEach((hash, attempts) -> {
                    if (!hash.equals(newer.content())) {
                        attempts.headMap(newer.attempt()).forEach((attempt, words) -> {
                            if (enough(words)) {
                                proof(hash, attempt, words).ifPresent(proof -> hidden = proof);
                            }
                        });
                    }
                });
            }
        }

        private boolean isSecond(Commit commit) {
            return hidden != null
                    && hidden.number().equals(commit.number())
                    && !hidden.hash().equals(commit.content());
        }

        private void answer(Accept accept, BiConsumer<NodeId, Wire> exit) {
            ProvenContent first = hidden;
            if (first == null || accept.attempt() <= first.attempt()) {
                return;
            }
            int self = context.self().index();
            NodeId to = NodeId.bftserver(accept.replica());
            exit.accept(to, Wire.of(context.frame(with(accept, "replica", self))));
            boolean second = !first.hash().equals(accept.content());
            if (second && confidant < 0) {
                confidant = accept.replica();
            }
            if (!second || confidant == accept.replica()) {
                Commit commit = new Commit(self, accept.number(), accept.attempt(), accept.content());
                exit.accept(to, Wire.of(context.frame(commit)));
            }
        }

        @Override
        public void tick(Consumer<byte[]> exit) {
            if (hidden != null && committed.size() + 1 >= context.quorums().bftserverQuorum()) {
                claim(hidden, exit);
            }
        }
    }
}
