package org.aspas.client.core;

import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;

/** The checks of a signed answer (the protocol page, docs/protocol.md §3.4). */
public final class ResponseCheck {
    /** So many clients with the key are told apart; of more, the order of answers is not checked. */
    private static final int MOST_ADDRESSED = 64;

    private final ClientSettings settings;
    private final Servers servers;
    private final VerifiedCertificates certificates;
    private final Consumer<Evidence> complain;
    /** By the client that is addressed: this one, or an earlier one with the key. */
    private final BoundedMap<ClientId, Signed<Response>> last = new BoundedMap<>(MOST_ADDRESSED);

    public ResponseCheck(
            ClientSettings settings, Servers servers, VerifiedCertificates certificates, Consumer<Evidence> complain) {
        this.settings = settings;
        this.servers = servers;
        this.certificates = certificates;
        this.complain = complain;
    }

    /** Forgets the order of answers, which is judged within one connection. */
    public void disconnected() {
        last.clear();
    }

    /** Checks what every answer must satisfy, and the certificate that came with it. */
    public Optional<NotVerified> common(Answer answer) {
        Optional<NotVerified> wrong = common(answer.response());
        Certificate certificate = answer.certificate();
        return wrong.isEmpty() && certificate != null ? certificate(answer.response(), certificate) : wrong;
    }

    private Optional<NotVerified> common(Signed<Response> signed) {
        if (!signed.verify(settings.verifier(), servers.key(servers.current()), Domain.RESPONSE)) {
            return wrong(Check.SIGNATURE, "the answer is not signed by appserver " + servers.current());
        }
        Response response = signed.message();
        if (response.server() != servers.current()) {
            return wrong(Check.ADDRESS, "the answer names appserver " + response.server());
        }
        boolean update = response.isUpdate() && response.reference() > 0;
        if (update
                ? !response.client().sameKey(settings.self())
                : !response.client().equals(settings.self())) {
            return wrong(Check.ADDRESS, "the answer is for client " + response.client());
        }
        if (response.version().size() != settings.servers()) {
            return wrong(Check.DOT, "the version has " + response.version().size() + " components");
        }
        if (namesLater(response)) {
            return wrong(Check.DOT, "the answer names an incarnation that is not open");
        }
        return order(signed);
    }

    private static boolean namesLater(Response response) {
        Dot dot = response.dot();
        return (dot != null && SequenceNumbers.isLater(dot.sequence())) || SequenceNumbers.isLater(response.version());
    }

    /** A stored answer may be given again, so the server's own sequence decides which of two answers is later. */
    private Optional<NotVerified> order(Signed<Response> signed) {
        Signed<Response> before = last.get(signed.message().client());
        Response response = signed.message();
        if (before == null || response.sequence() > before.message().sequence()) {
            if (before != null && before.message().certificate().isAfter(response.certificate())) {
                return wentBack(before, signed);
            }
            last.put(response.client(), signed);
            return Optional.empty();
        }
        return response.certificate().isAfter(before.message().certificate())
                ? wentBack(signed, before)
                : Optional.empty();
    }

    private Optional<NotVerified> wentBack(Signed<Response> earlier, Signed<Response> later) {
        complain.accept(new CertificateWentBack(earlier, later));
        return wrong(
                Check.CERTIFICATE_WENT_BACK,
                "answer " + later.message().sequence() + " names certificate "
                        + later.message().certificate() + ", answer "
                        + earlier.message().sequence() + " named "
                        + earlier.message().certificate());
    }

    /** Checks that the answer's entry is the one that holds the client's own signed words. */
    public Optional<NotVerified> entry(Response response, Signed<ClientSigned> body) {
        Dot dot = response.dot();
        if (dot == null) {
            return wrong(Check.DOT, "the answer to an update names no entry");
        }
        if (dot.origin() != servers.current()) {
            return wrong(Check.DOT, "dot " + dot + " is not of appserver " + servers.current());
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

    /** Checks the certificate that came with an answer: the one that the answer's signature names, and genuine. */
    private Optional<NotVerified> certificate(Signed<Response> signed, Certificate certificate) {
        if (!Digests.certificate(certificate).equals(signed.message().certificateDigest())) {
            return wrong(Check.CERTIFICATE, "the answer came with another certificate than it names");
        }
        Optional<NotVerified> finding =
                certificate.number().equals(signed.message().certificate())
                        ? certificates.verify(certificate)
                        : wrong(Check.CERTIFICATE, "the answer came with another certificate than it names");
        if (finding.isPresent()) {
            complain.accept(new BadCertificate(signed, certificate));
        }
        return finding;
    }

    static Optional<NotVerified> wrong(Check check, String detail) {
        return Optional.of(new NotVerified(check, detail));
    }
}
