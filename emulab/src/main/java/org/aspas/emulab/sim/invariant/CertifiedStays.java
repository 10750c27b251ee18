package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Certificate;
import org.aspas.crdt.clock.VersionVector;

/**
 * G4: what is certified is never lost or changed. Along the chain no component and no log root goes back or changes, and a
 * correct appserver never finds its own history to be another than the certified one because of what it did itself. An
 * appserver that crashed may be behind, never beside.
 */
final class CertifiedStays extends Invariant {
    private record Place(int origin, long size) {}

    private final Cast cast;
    private final Map<Place, Hash> roots = new HashMap<>();
    private final Map<Long, VersionVector> versions = new HashMap<>();

    CertifiedStays(Cast cast) {
        super("G4");
        this.cast = cast;
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
    public void onAlarm(int server, String text) {
        if (text.contains("is not of this server's history") && cast.liars().isEmpty()) {
            violated("appserver " + server + ": " + text);
        }
    }
}
