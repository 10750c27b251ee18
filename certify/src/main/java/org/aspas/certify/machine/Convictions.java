package org.aspas.certify.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.stable.Cuts;
import org.aspas.crdt.clock.VersionVector;

/**
 * Who is convicted, and where each is cut: at its last certified value, as soon as no content is being accepted (the
 * protocol page, docs/protocol.md §8).
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

    /** All who are convicted. */
    Set<Integer> servers() {
        Set<Integer> all = new TreeSet<>(settled.keySet());
        all.addAll(unsettled.keySet());
        return all;
    }

    void convict(int server, Hash evidence) {
        unsettled.put(server, evidence);
    }

    /**
     * Takes over the blacklist of a certified content, which this machine may have had from others; whether there was
     * anybody new in it.
     */
    boolean learn(List<Exclusion> exclusions) {
        boolean news = false;
        for (Exclusion one : exclusions) {
            if (!one.equals(settled.put(one.origin(), one))) {
                unsettled.remove(one.origin());
                news = true;
            }
        }
        if (news) {
            cuts = new Cuts(new ArrayList<>(settled.values()));
        }
        return news;
    }

    /** Cuts those who are not cut yet at what is certified; whether there was anybody. */
    boolean settle(VersionVector certified) {
        if (unsettled.isEmpty()) {
            return false;
        }
        unsettled.forEach(
                (server, evidence) -> settled.put(server, new Exclusion(server, certified.get(server), evidence)));
        unsettled.clear();
        cuts = new Cuts(new ArrayList<>(settled.values()));
        return true;
    }

    /** The cuts of those who are cut. */
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
