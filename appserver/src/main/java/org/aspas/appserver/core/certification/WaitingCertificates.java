package org.aspas.appserver.core.certification;

import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.Counters;
import org.aspas.certify.certificate.CertificateAssembler;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Share;
import org.aspas.crdt.clock.VersionVector;

/** The certificates that are here and cannot be adopted yet: for lack of entries, or of those before them. For one thread. */
final class WaitingCertificates {
    private static final int MAX_WAITING = 64;

    private final CertifiedHistory history;
    private final Counters counters;
    private final CertificateVerifier verifier;
    private final CertificateAssembler assembler;
    private final TreeMap<CertificateNumber, Certificate> waiting = new TreeMap<>();

    WaitingCertificates(CoreContext context, CertifiedHistory history) {
        CoreSettings settings = context.settings();
        this.history = history;
        this.counters = context.counters();
        this.verifier = new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
        this.assembler = new CertificateAssembler(verifier);
    }

    /** Takes a bftserver's share of a certificate; whether a certificate is complete by it. */
    boolean share(NodeId from, Share share) {
        if (!from.equals(NodeId.bftserver(share.replica()))) {
            counters.count("refused_share");
            return false;
        }
        Optional<Certificate> complete = assembler.add(share);
        complete.ifPresent(certificate -> {
            counters.count("certificates_assembled");
            hold(certificate);
        });
        return complete.isPresent();
    }

    /** Takes a certificate from anybody; whether it is a right one that was wanted. */
    boolean certificate(Certificate certificate) {
        CertificateNumber number = certificate.number();
        boolean wanted = number.isAfter(history.number())
                && number.value() <= history.number().value() + MAX_WAITING
                && !waiting.containsKey(number);
        if (!wanted) {
            return false;
        }
        if (verifier.verify(certificate).isPresent()) {
            counters.count("refused_certificate");
            return false;
        }
        hold(certificate);
        return true;
    }

    /** Takes a certificate that was verified. */
    void hold(Certificate certificate) {
        waiting.put(certificate.number(), certificate);
    }

    Optional<Certificate> next() {
        return Optional.ofNullable(waiting.get(history.number().next()));
    }

    boolean holds(CertificateNumber number) {
        return waiting.containsKey(number);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** A version joined with the versions of all that wait. */
    VersionVector joined(VersionVector version) {
        VersionVector joined = version;
        for (Certificate certificate : waiting.values()) {
            joined = joined.join(certificate.content().version());
        }
        return joined;
    }

    void adopted(CertificateNumber number) {
        assembler.adopted(number);
        waiting.headMap(number, true).clear();
    }
}
