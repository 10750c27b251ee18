package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Share;

/**
 * G3: certificates form one chain, no two with one number differ, and b+1 correct bftservers signed each. Every share that anybody sent is counted: two
 * contents under one number must never both have 2b+1 signers; and a correct bftserver signs one content per number.
 */
final class OneChain extends Invariant {
    private final Participants participants;
    private final TreeMap<Long, Certificate> known = new TreeMap<>();
    private final Map<Long, Map<Hash, Set<Integer>>> signers = new HashMap<>();

    OneChain(Participants participants) {
        super("G3");
        this.participants = participants;
        on(Fact.ShareSent.class, fact -> signed(fact.share()));
        on(Fact.Adopted.class, fact -> adopted(fact.server(), fact.certificate()));
    }

    private void signed(Share share) {
        long number = share.content().message().number().value();
        Hash content = share.content().identity();
        Map<Hash, Set<Integer>> contents = signers.computeIfAbsent(number, any -> new HashMap<>());
        contents.computeIfAbsent(content, any -> new HashSet<>()).add(share.replica());
        if (contents.size() < 2) {
            return;
        }
        long complete = contents.values().stream()
                .filter(who -> who.size() >= participants.quorums().bftserverQuorum())
                .count();
        if (complete > 1) {
            violated("two contents of certificate " + number + " have full signatures");
        }
        boolean twice = contents.entrySet().stream()
                .anyMatch(other -> !other.getKey().equals(content)
                        && other.getValue().contains(share.replica())
                        && !participants.lyingReplicas().contains(share.replica()));
        if (twice) {
            violated("bftserver " + share.replica() + " signed two contents of certificate " + number);
        }
    }

    private void adopted(int server, Certificate certificate) {
        long number = certificate.number().value();
        long correct = certificate.signatures().stream()
                .filter(one -> !participants.lyingReplicas().contains(one.replica()))
                .count();
        if (correct < participants.quorums().b() + 1) {
            violated("appserver " + server + " adopted certificate " + number + ", which " + correct
                    + " correct bftservers signed");
        }
        Certificate other = known.putIfAbsent(number, certificate);
        if (other != null && !other.hash().equals(certificate.hash())) {
            violated("appserver " + server + " adopted another certificate " + number);
        }
        Certificate before = known.get(number - 1);
        if (before != null && !certificate.content().previous().equals(before.hash())) {
            violated("certificate " + number + " does not follow certificate " + before.number());
        }
    }
}
