package org.aspas.appserver.core.complaint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;

/** The verdicts that are before the BFT cluster: sent until a certificate excludes the accused. For one thread. */
final class OpenVerdicts extends CorePart {
    /** How many verdicts against one server are before the BFT cluster at once. */
    private static final int MOST_VERDICTS = 2;

    private final RememberedEvidence remembered;
    private final TreeMap<Integer, LinkedHashMap<Hash, Signed<Verdict>>> open = new TreeMap<>();

    OpenVerdicts(CoreContext context, RememberedEvidence remembered) {
        super(context);
        this.remembered = remembered;
    }

    Signed<Verdict> verdict(Evidence evidence, List<Signed<Blacklist>> words) {
        return settings.sealer().seal(new Verdict(settings.index(), evidence, words));
    }

    /** Puts a verdict with more words in the place of one on the same evidence; whether there was one. */
    boolean replace(int accused, Hash hash, Evidence evidence, List<Signed<Blacklist>> words) {
        LinkedHashMap<Hash, Signed<Verdict>> proofs = open.get(accused);
        if (proofs == null || !proofs.containsKey(hash)) {
            return false;
        }
        proofs.put(hash, verdict(evidence, words));
        return true;
    }

    /**
     * Opens a verdict, if it is new and among the shortest ones against a server: the accused may have made the first proof
     * such that nobody can act on it.
     */
    boolean open(int accused, Hash hash, Signed<Verdict> verdict) {
        LinkedHashMap<Hash, Signed<Verdict>> proofs = open.computeIfAbsent(accused, any -> new LinkedHashMap<>());
        if (proofs.putIfAbsent(hash, verdict) != null) {
            return false;
        }
        remembered.keep(hash);
        if (proofs.size() <= MOST_VERDICTS) {
            return true;
        }
        Hash longest = hash;
        for (Map.Entry<Hash, Signed<Verdict>> one : proofs.entrySet()) {
            boolean longer = one.getValue().payload().length
                    > proofs.getOrDefault(longest, verdict).payload().length;
            longest = longer ? one.getKey() : longest;
        }
        proofs.remove(longest);
        remembered.release(longest);
        return !longest.equals(hash);
    }

    /** Sends a verdict to all bftservers. */
    void send(Signed<Verdict> verdict) {
        settings.bftservers().forEach(replica -> outbox.node(replica, verdict));
    }

    /** Sends again what the BFT cluster has not acted on. */
    void repeat() {
        open.values().forEach(proofs -> proofs.values().forEach(this::send));
    }

    /** A server is excluded. */
    void settled(int accused) {
        open.remove(accused);
    }
}
