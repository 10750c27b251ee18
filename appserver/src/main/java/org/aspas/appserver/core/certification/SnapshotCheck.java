package org.aspas.appserver.core.certification;

import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.appserver.core.object.CertifiedState;
import org.aspas.appserver.core.object.StateAssembly;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull.Place;

/**
 * Verifies a snapshot part by part with a deployment's descriptor alone, wherever the parts come from. Made from a head that is
 * right; then it takes the parts in any order in which each is needed. For one thread.
 */
public final class SnapshotCheck {
    private final VerifiedHead head;
    private final StateAssembly parts;

    private SnapshotCheck(VerifiedHead head) {
        this.head = head;
        this.parts = new StateAssembly(head.certificate().content().state());
    }

    /** What is wrong with a snapshot: one sentence for people. */
    public static final class WrongSnapshot extends Exception {
        private static final long serialVersionUID = 1L;

        WrongSnapshot(String message) {
            super(message);
        }
    }

    /**
     * Begins with a head.
     *
     * @throws WrongSnapshot when it has no certificate, the certificate is not valid in this deployment, or the ends of the logs
     *     are not the certified ones
     */
    public static SnapshotCheck of(Descriptor descriptor, SnapshotHead head) throws WrongSnapshot {
        Certificate certificate = head.certificate();
        if (certificate == null) {
            throw new WrongSnapshot("there is no certificate yet, and so no certified state");
        }
        CertificateVerifier verifier =
                new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
        Optional<String> wrong = verifier.verify(certificate);
        if (wrong.isPresent()) {
            throw new WrongSnapshot("the certificate is not valid: " + wrong.get());
        }
        return VerifiedHead.of(head, certificate)
                .map(SnapshotCheck::new)
                .orElseThrow(() ->
                        new WrongSnapshot("the ends of the logs are not those of certificate " + certificate.number()));
    }

    /** The certificate, which is valid. */
    public Certificate certificate() {
        return head.certificate();
    }

    /** Shows where the parts begin that are needed next, until the visitor has seen enough. */
    public void places(Predicate<Place> visitor) {
        parts.places(visitor);
    }

    public boolean needs(Place place) {
        return parts.needs(place);
    }

    /**
     * Takes a part.
     *
     * @throws WrongSnapshot when it is not needed, is of another certificate, or is not certified
     */
    public void take(SnapshotChunk chunk) throws WrongSnapshot {
        if (!chunk.number().equals(certificate().number()) || !parts.needs(chunk.place())) {
            throw new WrongSnapshot("a part is not one of this snapshot, or comes twice");
        }
        if (!parts.take(chunk)) {
            throw new WrongSnapshot("part " + (parts.chunks() + 1) + " is not what certificate "
                    + certificate().number() + " certifies");
        }
    }

    public boolean complete() {
        return parts.complete();
    }

    public long chunks() {
        return parts.chunks();
    }

    /**
     * The state that all parts make.
     *
     * @throws WrongSnapshot when parts are missing, or together they are not what is certified
     */
    public CertifiedState state() throws WrongSnapshot {
        if (!complete()) {
            throw new WrongSnapshot("parts are missing: the end of it is not here");
        }
        return parts.state()
                .orElseThrow(() -> new WrongSnapshot("the parts together are not what certificate "
                        + certificate().number() + " certifies"));
    }
}
