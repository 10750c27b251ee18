package org.aspas.certify.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.crdt.clock.VersionVector;

/**
 * Who is convicted, and where each is cut: at its last certified value, as soon as certification has begun and no
 * content is being accepted (the protocol page, docs/protocol.md §8).
 */
final class Convictions {
    private final TreeMap<Integer, Exclusion> settled = new TreeMap<>();
    private final TreeMap<Integer, Hash> unsettled = new TreeMap<>();
    private Cuts cuts = Cuts.NONE;

    boolean convicted(int server) {
        return settled.containsKey(server) || unsettled.containsKey(server);
    }

    int size() {
        return settled.size() + unsettled.size();
    }

    Set<Integer> servers() {
        Set<Integer> all = new TreeSet<>(settled.keySet());
        all.addAll(unsettled.keySet());
        return all;
    }

    void convict(int server, Hash evidence) {
        unsettled.put(server, evidence);
    }

    /**
     * Brings the blacklist in line with the newest certified content: whom that excludes is cut as it says, and all others
     * who are convicted are cut at its version. A certified content can also come from others' records after a conviction
     * was ordered, and change a cut that no certified content has.
     *
     * @return whether anything changed
     */
    boolean follow(VersionVector certified, List<Exclusion> exclusions) {
        TreeMap<Integer, Exclusion> next = new TreeMap<>();
        settled.forEach((server, one) -> next.put(server, cutAt(certified, server, one.evidence())));
        unsettled.forEach((server, evidence) -> next.put(server, cutAt(certified, server, evidence)));
        exclusions.forEach(one -> next.put(one.origin(), one));
        unsettled.clear();
        if (next.equals(settled)) {
            return false;
        }
        settled.clear();
        settled.putAll(next);
        cuts = new Cuts(new ArrayList<>(settled.values()));
        return true;
    }

    private static Exclusion cutAt(VersionVector certified, int server, Hash evidence) {
        return new Exclusion(server, certified.get(server), evidence);
    }

    Cuts cuts() {
        return cuts;
    }

    /** The blacklist of the next content. */
    List<Exclusion> exclusions() {
        return cuts.exclusions();
    }

    void write(SnapshotWriter writer) {
        writer.number(settled.size());
        settled.values().forEach(one -> {
            writer.number(one.origin());
            writer.number(one.cut());
            writer.hash(one.evidence());
        });
        writer.number(unsettled.size());
        for (Map.Entry<Integer, Hash> one : unsettled.entrySet()) {
            writer.number(one.getKey());
            writer.hash(one.getValue());
        }
    }

    static Convictions read(SnapshotReader reader, int servers) {
        Convictions convictions = new Convictions();
        int next = 0;
        for (int left = reader.count(0, servers); left > 0; left--) {
            int server = reader.count(next, servers - 1);
            convictions.settled.put(server, new Exclusion(server, reader.number(0), reader.hash()));
            next = server + 1;
        }
        next = 0;
        for (int left = reader.count(0, servers - convictions.settled.size()); left > 0; left--) {
            int server = reader.count(next, servers - 1);
            if (convictions.settled.containsKey(server)) {
                throw new IllegalArgumentException("snapshot: a server convicted twice");
            }
            convictions.unsettled.put(server, reader.hash());
            next = server + 1;
        }
        convictions.cuts = new Cuts(new ArrayList<>(convictions.settled.values()));
        return convictions;
    }
}
