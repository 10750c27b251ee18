package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.appserver.core.Alarm;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.certify.stable.Cuts;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/**
 * G4: what is certified is never lost or changed, and causally closed. When a correct bftserver signs it, f+1 correct appservers hold it. Along the chain no component and no log root goes back or changes, and a
 * correct appserver never finds its own history to be another than the certified one because of what it did itself. An
 * appserver that crashed may be behind, never beside.
 */
final class CertifiedStays extends Invariant {
    private record Place(int origin, long size) {}

    private final Cast cast;
    private final Map<Integer, VersionVector> held = new HashMap<>();
    private final Map<Integer, TreeMap<Long, VersionVector>> answered = new HashMap<>();
    private final Map<Integer, TreeMap<Long, Set<VersionVector>>> taken = new HashMap<>();
    private final Map<Integer, Long> closedUpTo = new HashMap<>();
    private long signed;
    private final Map<Place, Hash> roots = new HashMap<>();
    private final Map<Long, VersionVector> versions = new HashMap<>();

    CertifiedStays(Cast cast) {
        super("G4");
        this.cast = cast;
    }

    @Override
    public void onResponse(int server, Signed<Response> signed) {
        Response response = signed.message();
        Dot dot = response.dot();
        if (dot != null) {
            answered.computeIfAbsent(server, any -> new TreeMap<>()).putIfAbsent(dot.sequence(), response.version());
        }
    }

    /** What the entries of liars depend on, as they came in batches; whether they were accepted does not show. */
    @Override
    public void onBatchTaken(int server, Batch batch) {
        int origin = batch.head().message().origin();
        if (origin < 0 || origin >= cast.quorums().appservers() || cast.correct(origin)) {
            return;
        }
        long sequence = batch.head().message().size() - batch.entries().size();
        TreeMap<Long, Set<VersionVector>> entries = taken.computeIfAbsent(origin, any -> new TreeMap<>());
        for (byte[] bytes : batch.entries()) {
            sequence++;
            long place = sequence;
            Codec.decode(bytes, Entry.class)
                    .accepted()
                    .filter(entry ->
                            entry.dependencies().size() == cast.quorums().appservers())
                    .ifPresent(entry -> entries.computeIfAbsent(place, any -> new HashSet<>())
                            .add(entry.dependencies()));
        }
    }

    /** The same of liars' entries, all of them, where one thing only was said of a place. */
    private void closedAtLiars(CertificateContent content) {
        Cuts cuts = new Cuts(content.exclusions());
        taken.forEach((origin, entries) -> {
            long size = content.version().get(origin);
            long before = closedUpTo.getOrDefault(origin, 0L);
            entries.subMap(before, false, Math.max(before, size), true).forEach((sequence, dependencies) -> {
                boolean closed = dependencies.size() > 1
                        || dependencies.stream()
                                .allMatch(one -> content.version().dominates(cuts.clip(one)));
                if (!closed) {
                    violated("certificate " + content.number() + " at " + content.version() + " has entry " + origin
                            + ":" + sequence + ", and not all that it depends on: " + dependencies);
                }
            });
            closedUpTo.put(origin, Math.max(before, size));
        });
    }

    /** Of each correct origin's entries, the last one certified that was answered: what it depends on is certified too. */
    private void closed(CertificateContent content) {
        Cuts cuts = new Cuts(content.exclusions());
        answered.forEach((origin, versions) -> {
            Map.Entry<Long, VersionVector> last =
                    versions.floorEntry(content.version().get(origin));
            if (last != null && !content.version().dominates(cuts.clip(last.getValue()))) {
                violated("certificate " + content.number() + " at " + content.version() + " has entry " + origin + ":"
                        + last.getKey() + ", and not all that it depends on: " + last.getValue());
            }
        });
    }

    @Override
    public void onHeld(int server, VersionVector version) {
        held.merge(server, version, VersionVector::join);
    }

    @Override
    public void onShare(Share share) {
        CertificateContent content = share.content().message();
        if (cast.lyingReplicas().contains(share.replica()) || content.number() <= signed) {
            return;
        }
        signed = content.number();
        closed(content);
        closedAtLiars(content);
        for (int origin = 0; origin < content.version().size(); origin++) {
            int index = origin;
            long holders = held.values().stream()
                    .filter(version -> version.get(index) >= content.version().get(index))
                    .count();
            if (holders < cast.quorums().f() + 1 && content.version().get(origin) > 0) {
                violated("certificate " + content.number() + " is signed when " + holders
                        + " correct appservers hold what it certifies of appserver " + origin);
            }
        }
    }

    @Override
    public void onAdopted(int server, Certificate certificate) {
        VersionVector version = certificate.content().version();
        VersionVector before = versions.get(certificate.number() - 1);
        versions.putIfAbsent(certificate.number(), version);
        if (before != null && !version.dominates(before)) {
            violated("certificate " + certificate.number() + " goes back from " + before + " to " + version);
        }
        for (int origin = 0; origin < version.size(); origin++) {
            Hash root = certificate.content().roots().get(origin);
            Hash known = roots.putIfAbsent(new Place(origin, version.get(origin)), root);
            if (known != null && !known.equals(root)) {
                violated("the first " + version.get(origin) + " entries of appserver " + origin + " changed");
            }
        }
    }

    @Override
    public void onAlarm(int server, Alarm alarm) {
        if (alarm instanceof Alarm.NotOurHistory && cast.liars().isEmpty()) {
            violated("appserver " + server + ": " + alarm);
        }
    }
}
