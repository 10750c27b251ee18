package org.aspas.appserver.core;

import java.util.Optional;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.LeafBlockRoots;
import org.aspas.appserver.core.certification.LogsCut;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.log.Broadcaster;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.session.Applier;
import org.aspas.appserver.core.session.Sessions;
import org.aspas.certify.wire.Certificate;

/** Takes the certification on, step by step, and tells what each step did to all whom it concerns. For one thread. */
final class Adoption {
    private final Logs logs;
    private final Certification certification;
    private final Applier applier;
    private final Broadcaster broadcaster;
    private final Sessions sessions;
    private final EvidencePool evidence;
    private final Pruning pruning;
    private final Snapshots snapshots;

    Adoption(
            Logs logs,
            Certification certification,
            Applier applier,
            Broadcaster broadcaster,
            Sessions sessions,
            EvidencePool evidence,
            Pruning pruning,
            Snapshots snapshots) {
        this.logs = logs;
        this.certification = certification;
        this.applier = applier;
        this.broadcaster = broadcaster;
        this.sessions = sessions;
        this.evidence = evidence;
        this.pruning = pruning;
        this.snapshots = snapshots;
    }

    /** Adopts what can be adopted, tells whom it concerns, and answers what the bftservers ask. */
    void certify() {
        Optional<Certification.Step> step = certification.adoptNext();
        while (step.isPresent()) {
            if (step.get() instanceof Certification.Adopted adopted) {
                tell(adopted);
            } else if (step.get() instanceof LogsCut cut) {
                applier.takeBack(cut);
                if (logs.repairing()) {
                    break;
                }
            }
            step = certification.adoptNext();
        }
        certification.answer();
    }

    /** A snapshot was installed: tells of it, and adopts what can be adopted after it. */
    void installed(Certification.Adopted installed) {
        tell(installed);
        certify();
    }

    /** A base was loaded: the same, with what it kept of leaves. */
    void loaded(Certification.Adopted installed, LeafBlockRoots kept) {
        pruning.loaded(installed.certificate().content().version(), kept);
        installed(installed);
    }

    private void tell(Certification.Adopted adopted) {
        Certificate certificate = adopted.certificate();
        long added = pruning.adopted(certificate);
        broadcaster.adopted(certificate.number(), certificate.content().version());
        sessions.adopted(adopted);
        snapshots.adopted(certificate, added);
        if (evidence.adopted(certificate)) {
            sessions.tellExclusion(certificate);
        }
    }
}
