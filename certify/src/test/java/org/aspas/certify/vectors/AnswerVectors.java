package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Confirmation.Covered;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** Answers to a session and to updates, and their confirmations (docs/formats.md §9). */
final class AnswerVectors {
    private static final VectorWorld WORLD = VectorWorld.WORLD;
    private static final int UPDATE = VectorWorld.COUNTED;
    private static final Certificate FIRST = WORLD.certificates.get(0);

    private AnswerVectors() {}

    static ObjectNode make() {
        ObjectNode out = VectorJson.object();
        out.put("server", "0").put("client", VectorJson.hex(WORLD.clientId.toBytes()));
        out.set("answers", answers().list());
        out.set("confirmations", confirmations().list());
        return out;
    }

    private static ObjectNode answer(
            ObjectNode out, int sequence, Response response, @Nullable Certificate certificate) {
        return out.put("request", VectorJson.hex(WORLD.bodies.get(sequence - 1)))
                .put("answer", VectorJson.hex(new Answer(WORLD.server(0).seal(response), certificate, null)));
    }

    private static VectorCases answers() {
        VectorCases cases = new VectorCases();
        Response session = WORLD.response(1, 0);
        Response update = WORLD.response(UPDATE, 0);
        answer(cases.valid("to a session"), 1, session, null);
        answer(cases.valid("to an increment"), UPDATE, update, null);
        answer(cases.valid("with the newest certificate"), UPDATE + 1, WORLD.response(UPDATE + 1, 1), FIRST);
        answer(
                cases.valid("that names a certificate and does not have it"),
                UPDATE + 2,
                WORLD.response(UPDATE + 2, 1),
                null);
        refuse(
                cases,
                "of another server",
                "the server is the one that was asked",
                r -> new Response(
                        1,
                        r.sequence(),
                        r.client(),
                        r.reference(),
                        r.result(),
                        new Dot(1, 2),
                        r.leaf(),
                        r.version(),
                        r.roots(),
                        r.certificate(),
                        r.certificateDigest()));
        refuse(
                cases,
                "for another client",
                "the client is the one who asked",
                r -> with(r, ClientId.NOBODY, r.reference(), r.dot(), r.leaf(), r.version()));
        refuse(
                cases,
                "to another request number",
                "the reference is the request number",
                r -> with(r, r.client(), 2, r.dot(), r.leaf(), r.version()));
        refuse(
                cases,
                "without a dot",
                "an update has a dot",
                r -> with(r, r.client(), r.reference(), null, r.leaf(), r.version()));
        refuse(
                cases,
                "with the dot of another origin",
                "the dot's origin is the server",
                r -> with(
                        r,
                        r.client(),
                        r.reference(),
                        new Dot(1, 2),
                        r.leaf(),
                        r.version().with(1, 2)));
        refuse(
                cases,
                "with a version that ends elsewhere",
                "the version has the dot's sequence",
                r -> with(
                        r,
                        r.client(),
                        r.reference(),
                        r.dot(),
                        r.leaf(),
                        r.version().with(0, 3)));
        refuse(
                cases,
                "with another leaf",
                "the leaf is that of the client's own words",
                r -> with(r, r.client(), r.reference(), r.dot(), Hash.ZERO, r.version()));
        refuse(
                cases,
                "with other dependencies than in the leaf",
                "the leaf is that of the client's own words",
                r -> with(
                        r,
                        r.client(),
                        r.reference(),
                        r.dot(),
                        r.leaf(),
                        r.version().with(1, 1)));
        refuse(
                cases,
                "with a version of three components",
                "a version has N components",
                r -> with(r, r.client(), r.reference(), r.dot(), r.leaf(), VersionVector.of(2, 0, 0)));
        refuse(
                cases,
                "with a sequence of another incarnation",
                "no later incarnation is open",
                r -> with(
                        r,
                        r.client(),
                        r.reference(),
                        new Dot(0, (1L << 40) + 2),
                        r.leaf(),
                        r.version().with(0, (1L << 40) + 2)));
        cases.invalid("signed by another appserver", "the signature is that of the one who was asked")
                .put("request", VectorJson.hex(WORLD.bodies.get(UPDATE - 1)))
                .put("answer", VectorJson.hex(new Answer(WORLD.server(1).seal(update), null, null)));
        answer(
                cases.invalid(
                        "with a certificate that it does not name",
                        "the certificate's digest is the one in the answer"),
                UPDATE,
                update,
                FIRST);
        badCertificate(cases, WORLD.response(UPDATE + 1, 1));
        return cases;
    }

    /** It is signed that this is the newest certificate, and it is none: evidence of kind 55. */
    private static void badCertificate(VectorCases cases, Response r) {
        Certificate few = WORLD.certified(FIRST.content(), 0, 1);
        Response named = new Response(
                r.server(),
                r.sequence(),
                r.client(),
                r.reference(),
                r.result(),
                r.dot(),
                r.leaf(),
                r.version(),
                r.roots(),
                few.number(),
                Digests.certificate(few));
        answer(
                cases.invalid("with a certificate that does not verify", "the certificate verifies"),
                UPDATE + 1,
                named,
                few);
        Response other = new Response(
                r.server(),
                r.sequence(),
                r.client(),
                r.reference(),
                r.result(),
                r.dot(),
                r.leaf(),
                r.version(),
                r.roots(),
                new CertificateNumber(2),
                Digests.certificate(FIRST));
        answer(
                cases.invalid(
                        "with a certificate of another number", "the certificate's number is the one in the answer"),
                UPDATE + 1,
                other,
                FIRST);
    }

    private static void refuse(VectorCases cases, String name, String reason, UnaryOperator<Response> lie) {
        answer(cases.invalid(name, reason), UPDATE, lie.apply(WORLD.response(UPDATE, 0)), null);
    }

    private static Response with(
            Response r, ClientId client, long reference, @Nullable Dot dot, Hash leaf, VersionVector version) {
        return new Response(
                r.server(),
                r.sequence(),
                client,
                reference,
                r.result(),
                dot,
                leaf,
                version,
                r.roots(),
                r.certificate(),
                r.certificateDigest());
    }

    static Covered covered(int sequence, int size) {
        return new Covered(sequence - 1, new Dot(0, sequence), WORLD.log.proveInclusion(sequence - 1, size));
    }

    private static void confirm(ObjectNode out, Confirmation confirmation, int... sequences) {
        var updates = out.put("confirmation", VectorJson.hex(confirmation)).putArray("updates");
        for (int sequence : sequences) {
            updates.addObject()
                    .put("request", VectorJson.hex(WORLD.bodies.get(sequence - 1)))
                    .put(
                            "answer",
                            VectorJson.hex(new Answer(WORLD.server(0).seal(WORLD.response(sequence, 0)), null, null)));
        }
    }

    private static Confirmation confirmation(Certificate certificate, Covered... covered) {
        return new Confirmation(WORLD.clientId, certificate, List.of(covered));
    }

    private static VectorCases confirmations() {
        VectorCases cases = new VectorCases();
        Certificate second = WORLD.certificates.get(1);
        Covered one = covered(UPDATE, UPDATE);
        confirm(cases.valid("of one update"), confirmation(FIRST, one), UPDATE);
        confirm(
                cases.valid("of two updates"),
                confirmation(second, covered(3, VectorWorld.ALL), covered(4, VectorWorld.ALL)),
                3,
                4);
        Covered other = covered(3, VectorWorld.ALL);
        confirm(
                cases.invalid("a certificate that does not verify", "the certificate verifies"),
                confirmation(WORLD.certified(FIRST.content(), 0, 1), one),
                UPDATE);
        confirm(
                cases.invalid("a proof under another size", "the tree size is the certified version's component"),
                confirmation(second, one),
                UPDATE);
        confirm(
                cases.invalid(
                        "an update that the certificate does not cover", "the sequence is above the certified version"),
                confirmation(FIRST, other),
                3);
        confirm(
                cases.invalid("another dot than in the answer", "the dot is that of the answer"),
                confirmation(second, new Covered(2, new Dot(0, 4), other.proof())),
                3);
        confirm(
                cases.invalid("the leaf of another entry", "the leaf index is the sequence less one"),
                confirmation(
                        second,
                        new Covered(
                                2, new Dot(0, 3), covered(4, VectorWorld.ALL).proof())),
                3);
        confirm(
                cases.invalid("a proof that leads elsewhere", "the log root is not recomputed"),
                confirmation(
                        second,
                        new Covered(
                                2,
                                new Dot(0, 3),
                                new InclusionProof(
                                        2,
                                        VectorWorld.ALL,
                                        covered(4, VectorWorld.ALL).proof().path()))),
                3);
        return cases;
    }
}
