package org.aspas.client.core;

import java.util.Optional;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;

/** The checks of a signed answer (the protocol page, docs/protocol.md §3.4). */
final class ResponseCheck {
    private final CoreSettings settings;
    private final ClientId self;
    private long lastSequence;
    private long lastCertificate;

    ResponseCheck(CoreSettings settings, ClientId self) {
        this.settings = settings;
        this.self = self;
    }

    /** Forgets the order of answers, which is judged within one connection. */
    void disconnected() {
        lastSequence = 0;
        lastCertificate = 0;
    }

    /** Checks what every answer must satisfy. */
    Optional<NotVerified> common(Signed<Response> signed) {
        if (!signed.verify(settings.verifier(), settings.serverKey(), Domain.RESPONSE)) {
            return wrong(Check.SIGNATURE, "the answer is not signed by appserver " + settings.server());
        }
        Response response = signed.message();
        if (response.server() != settings.server()) {
            return wrong(Check.ADDRESS, "the answer names appserver " + response.server());
        }
        if (!response.client().equals(self)) {
            return wrong(Check.ADDRESS, "the answer is for client " + response.client());
        }
        if (response.version().size() != settings.servers()) {
            return wrong(Check.DOT, "the version has " + response.version().size() + " components");
        }
        return order(response);
    }

    /** A stored answer may be given again, so the server's own sequence decides which of two answers is later. */
    private Optional<NotVerified> order(Response response) {
        boolean later = response.sequence() > lastSequence;
        boolean back = later ? response.certificate() < lastCertificate : response.certificate() > lastCertificate;
        if (back) {
            return wrong(
                    Check.CERTIFICATE_WENT_BACK,
                    "answer " + response.sequence() + " names certificate " + response.certificate() + ", answer "
                            + lastSequence + " named " + lastCertificate);
        }
        if (later) {
            lastSequence = response.sequence();
            lastCertificate = response.certificate();
        }
        return Optional.empty();
    }

    /** Checks that the answer's entry is the one that holds the client's own signed words. */
    Optional<NotVerified> entry(Response response, Signed<ClientSigned> body) {
        Dot dot = response.dot();
        if (dot == null) {
            return wrong(Check.DOT, "the answer to an update names no entry");
        }
        if (dot.origin() != settings.server()) {
            return wrong(Check.DOT, "dot " + dot + " is not of appserver " + settings.server());
        }
        VersionVector version = response.version();
        if (version.get(dot.origin()) != dot.sequence()) {
            return wrong(Check.DOT, "dot " + dot + " does not end version " + version);
        }
        VersionVector dependencies = version.with(dot.origin(), dot.sequence() - 1);
        byte[] entry = Codec.encode(new Entry(dot, dependencies, body));
        if (!MerkleTree.leafHash(entry).equals(response.leaf())) {
            return wrong(Check.LEAF, "the leaf at " + dot + " is not that of the client's own request");
        }
        return Optional.empty();
    }

    /** Checks that the certificate that came with an answer is the one that the answer's signature names. */
    Optional<NotVerified> named(Response response, Certificate certificate) {
        return certificate.number() == response.certificate()
                        && Digests.certificate(certificate).equals(response.certificateDigest())
                ? Optional.empty()
                : wrong(Check.CERTIFICATE, "the answer came with another certificate than it names");
    }

    static Optional<NotVerified> wrong(Check check, String detail) {
        return Optional.of(new NotVerified(check, detail));
    }
}
