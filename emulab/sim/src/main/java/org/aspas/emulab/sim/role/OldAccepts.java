package org.aspas.emulab.sim.role;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Commit;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.ProvenContent;
import org.aspas.certify.message.Recover;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.emulab.sim.network.Wire;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that keeps the ACCEPTs of others, of each content that they ever accepted, and gives none of its own words to anybody. With an ACCEPT of its own it
 * makes proofs of them, and says that its record holds them, whenever it says anything: of a content that the others gave up
 * before any of them had its proof, as it is; and of any content under a higher attempt than the others accepted it in, which its own ACCEPT
 * names where its index is below theirs.
 */
final class OldAccepts implements ReplicaConduct {
    private static final int CONTENTS = 64;

    private final Power power;
    /** What appservers said, from which the contents follow. */
    private final Map<Hash, Stable> stables = new LinkedHashMap<>();
    /** Of the newest number: by content and attempt, by replica. */
    private final Map<Hash, Map<Long, Map<Integer, Signed<Accept>>>> accepts = new LinkedHashMap<>();

    private CertificateNumber number = CertificateNumber.NONE;
    private @Nullable Recover own;
    /** The highest attempt that was seen. */
    private long attempt;

    OldAccepts(Power power) {
        this.power = power;
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        Wire wire = new Wire(command);
        see(wire);
        Message message = BadReplica.sealed(wire);
        if (message instanceof Recover statement) {
            own = statement;
        }
        boolean mine = message instanceof Accept || message instanceof Commit;
        if (mine) {
            lie(exit);
        } else {
            exit.accept(command);
        }
    }

    @Override
    public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        // Its own words help nobody to a proof.
    }

    @Override
    public void heard(Wire word) {
        see(word);
    }

    @Override
    public void ordered(Wire command) {
        see(command);
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        lie(exit);
    }

    private void see(Wire wire) {
        Signed<?> signed = BadReplica.signed(wire);
        if (signed == null) {
            return;
        }
        if (signed.message() instanceof Stable stable) {
            keep(stable);
        } else if (signed.message() instanceof Accept accept
                && accept.replica() != power.self().index()) {
            keep(accept, signed.as(Accept.class).orElseThrow());
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
            attempt = 0;
        }
        if (accept.number().equals(number)) {
            attempt = Math.max(attempt, accept.attempt());
            accepts.computeIfAbsent(accept.content(), any -> new TreeMap<>())
                    .computeIfAbsent(accept.attempt(), any -> new TreeMap<>())
                    .put(accept.replica(), signed);
        }
    }

    private void lie(Consumer<byte[]> exit) {
        Recover mine = own;
        if (mine != null) {
            for (ProvenContent proof : proofs()) {
                Recover said = new Recover(
                        mine.replica(),
                        mine.start(),
                        Hash.ZERO,
                        true,
                        mine.epoch(),
                        proof.number(),
                        proof.attempt(),
                        proof);
                exit.accept(Codec.encode(power.sealer().seal(said)));
            }
        }
    }

    private List<ProvenContent> proofs() {
        List<ProvenContent> proofs = new ArrayList<>();
        accepts.forEach((hash, byAttempt) -> byAttempt.forEach((then, words) -> {
            CertificateContent content = content(hash);
            if (content != null && words.size() + 1 >= power.quorums().bftserverQuorum()) {
                if (accepts.size() > 1) {
                    proofs.add(proof(content, hash, then, words));
                }
                proofs.add(proof(content, hash, attempt + 1, words));
            }
        }));
        return proofs;
    }

    /** The ACCEPTs of others, and one of its own in an attempt. */
    private ProvenContent proof(CertificateContent content, Hash hash, long mine, Map<Integer, Signed<Accept>> others) {
        int self = power.self().index();
        Map<Integer, Signed<Accept>> all = new TreeMap<>(others);
        all.put(self, power.sealer().seal(new Accept(self, number, mine, hash)));
        return new ProvenContent(content, Codec.encode(content), List.copyOf(all.values()));
    }

    private @Nullable CertificateContent content(Hash hash) {
        for (Stable stable : stables.values()) {
            CertificateContent content = new CertificateContent(
                    power.sealer().deployment(),
                    number,
                    stable.previous(),
                    stable.closed(),
                    stable.closedRoots(),
                    stable.state(),
                    List.of());
            if (Hash.sha256(Codec.encode(content)).equals(hash)) {
                return content;
            }
        }
        return null;
    }
}
