package org.aspas.emulab.sim.adversary;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.emulab.sim.node.Wire;

/** What the other bftservers ever accepted under the newest number, and the proofs that a liar makes of it with ACCEPTs of its own. */
final class HeardAccepts {
    private static final int CONTENTS = 64;

    private final AdversaryContext power;
    /** What appservers said, from which the contents follow. */
    private final Map<Hash, Stable> stables = new LinkedHashMap<>();
    /** Of the newest number: by content and attempt, by replica. */
    private final Map<Hash, TreeMap<Long, Map<Integer, Signed<Accept>>>> accepts = new LinkedHashMap<>();

    private CertificateNumber number = CertificateNumber.NONE;

    HeardAccepts(AdversaryContext power) {
        this.power = power;
    }

    /** Takes a frame, of which STABLEs and others' ACCEPTs are kept. */
    void see(Wire wire) {
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
        }
        if (accept.number().equals(number)) {
            accepts.computeIfAbsent(accept.content(), any -> new TreeMap<>())
                    .computeIfAbsent(accept.attempt(), any -> new TreeMap<>())
                    .put(accept.replica(), signed);
        }
    }

    /** The newest number of which anything was accepted. */
    CertificateNumber number() {
        return number;
    }

    /** The highest attempt that anybody accepted in; 0 for none. */
    long attempt() {
        return accepts.values().stream().mapToLong(TreeMap::lastKey).max().orElse(0);
    }

    /** The ACCEPTs of others by content and attempt, by replica. */
    Map<Hash, TreeMap<Long, Map<Integer, Signed<Accept>>>> all() {
        return accepts;
    }

    /** Whether others' ACCEPTs and one of its own are enough for a proof. */
    boolean enough(Map<Integer, Signed<Accept>> others) {
        return others.size() + 1 >= power.quorums().bftserverQuorum();
    }

    /** The ACCEPTs of others, and one of its own in an attempt; empty when it has not seen the content. */
    Optional<ProvenContent> proof(Hash hash, long mine, Map<Integer, Signed<Accept>> others) {
        return content(hash).map(content -> {
            Map<Integer, Signed<Accept>> all = new TreeMap<>(others);
            int self = power.self().index();
            all.put(self, power.sealer().seal(new Accept(self, number, mine, hash)));
            return new ProvenContent(
                    content, Codec.encode(content), all.values().stream().toList());
        });
    }

    private Optional<CertificateContent> content(Hash hash) {
        return stables.values().stream()
                .map(stable -> new CertificateContent(
                        power.sealer().deployment(),
                        number,
                        stable.previous(),
                        stable.closed(),
                        stable.closedRoots(),
                        stable.state(),
                        List.of()))
                .filter(content -> Hash.sha256(Codec.encode(content)).equals(hash))
                .findFirst();
    }

    /** A statement as the one that its core made last, whose record holds this proof. */
    static Recover holding(Recover mine, ProvenContent proof) {
        return new Recover(
                mine.replica(), mine.start(), Hash.ZERO, true, mine.epoch(), proof.number(), proof.attempt(), proof);
    }
}
