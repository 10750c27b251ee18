package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.model.Discrepancy;

/**
 * G4: what is certified is never lost or changed, and causally closed. When a correct bftserver signs a content, f+1
 * correct appservers have, of each origin, entries on their disks that give exactly the certified root, whatever they said
 * of themselves; and the content follows the one before as docs/formats.md says, by the reference model. What a correct
 * appserver adopted stays on its disk. Along the chain no component and no log root goes back or changes, and a correct
 * appserver never finds its own history to be another than the certified one because of what it did itself. An appserver
 * that crashed may be behind, never beside.
 */
final class CertifiedStays extends Invariant {
    private record Place(int origin, long size) {}

    private final Participants participants;
    private final Reference reference;
    private final Map<Place, Hash> roots = new HashMap<>();
    private final Map<Long, VersionVector> versions = new HashMap<>();

    CertifiedStays(Participants participants, Reference reference) {
        super("G4");
        this.participants = participants;
        this.reference = reference;
        on(Fact.ShareSent.class, reference.whenFirstSigned(this::signed));
        on(Fact.Crashed.class, fact -> losses());
        on(Fact.Started.class, fact -> started(fact.server(), fact.status()));
        on(Fact.Adopted.class, fact -> adopted(fact.certificate()));
        on(Fact.Alarmed.class, fact -> {
            if (fact.alarm() instanceof Alarm.NotOurHistory
                    && participants.liars().isEmpty()) {
                violated("appserver " + fact.server() + ": " + fact.alarm());
            }
        });
        on(Fact.Ended.class, fact -> {
            disksHoldCertified();
            losses();
        });
    }

    private void signed(CertificateContent content, Reference.Findings findings) {
        findings.discrepancies().stream()
                .filter(one -> one.about() == Discrepancy.About.LOGS)
                .forEach(one -> violated(one.text()));
        List<Integer> holders = findings.holders();
        for (int origin = 0; origin < holders.size(); origin++) {
            if (holders.get(origin) < participants.quorums().f() + 1
                    && content.version().get(origin) > 0) {
                violated("certificate " + content.number() + " is signed when " + holders.get(origin)
                        + " correct appservers have on disk what it certifies of appserver " + origin);
            }
        }
        losses();
    }

    private void losses() {
        reference.disks().values().forEach(disk -> disk.takeLosses().forEach(this::violated));
    }

    /** What is on the disk is what a server has that starts from it, unless it lacks its base and knows that. */
    private void started(int server, CoreStatus status) {
        losses();
        reference.disk(server).adopted().ifPresent(content -> {
            boolean behind = content.number().isAfter(status.certificate())
                    || !status.version().dominates(content.version());
            if (behind && status.state() != ServerState.REPAIRING) {
                violated("appserver " + server + " starts with certificate " + status.certificate() + " and version "
                        + status.version() + ", and its disk has certificate " + content.number());
            }
        });
    }

    private void disksHoldCertified() {
        reference
                .disks()
                .forEach((server, disk) -> disk.adopted()
                        .filter(content -> !disk.image().holds(content))
                        .ifPresent(content -> violated("the disk of appserver " + server
                                + " has no more what certificate " + content.number() + " certifies")));
    }

    private void adopted(Certificate certificate) {
        VersionVector version = certificate.content().version();
        VersionVector before = versions.get(certificate.number().value() - 1);
        versions.putIfAbsent(certificate.number().value(), version);
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
}
