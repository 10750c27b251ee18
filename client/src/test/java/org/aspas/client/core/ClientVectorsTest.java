package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.Failure.NotVerified;
import org.junit.jupiter.api.Test;

/** The files of docs/vectors that are about a client's checks, checked by those of this client. */
class ClientVectorsTest {
    private static final Path FILES = Path.of("..", "docs", "vectors");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FEW = 2;

    private final Descriptor descriptor = descriptor();
    private final CertificateVerifier verifier =
            new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
    private final CertificateCheck certificates = certificate -> verifier.verify(certificate)
            .<CertificateCheck.Verdict>map(CertificateCheck.Verdict.Wrong::new)
            .orElse(new CertificateCheck.Verdict.Genuine(certificate));

    private static JsonNode read(String name) {
        try {
            return JSON.readTree(Files.readAllBytes(FILES.resolve(name)));
        } catch (IOException unreadable) {
            throw new AssertionError(name, unreadable);
        }
    }

    private static byte[] bytes(JsonNode hex) {
        return HexFormat.of().parseHex(hex.textValue());
    }

    private static Descriptor descriptor() {
        JsonNode one = read("descriptor.json").path("cases").path(0);
        byte[] text = one.path("text").textValue().getBytes(StandardCharsets.UTF_8);
        byte[] signature =
                HexFormat.of().parseHex(one.path("signatureFile").textValue().strip());
        try {
            return new DescriptorFile(text, signature).open(PublicKey.of(bytes(one.path("operatorKey"))));
        } catch (DescriptorFile.InvalidDescriptor refused) {
            throw new AssertionError(refused);
        }
    }

    private static void check(JsonNode cases, Predicate<JsonNode> accepts) {
        int refused = 0;
        for (JsonNode one : cases) {
            boolean valid = one.path("valid").booleanValue();
            assertThat(accepts.test(one)).as(one.path("name").textValue()).isEqualTo(valid);
            refused += valid ? 0 : 1;
        }
        assertThat(refused).isBetween(FEW, cases.size() - FEW);
    }

    private record Checks(ResponseCheck responses, VerifiedCertificates certificates) {}

    /** The checks of a client that has seen nothing yet. */
    private Checks checks(JsonNode file, ClientId client) {
        ClientSettings settings = new ClientSettings(
                descriptor.verifier(),
                EvidenceJudge.of(descriptor),
                descriptor.quorums(),
                descriptor.keys(Role.APPSERVER),
                Integer.parseInt(file.path("server").textValue()),
                client,
                new ClientSettings.Bounds(1, 1, 0, 1, 512, 4096, 1000),
                Policy.STAY,
                false,
                Tagging.NONE);
        Step step = new Step(false);
        VerifiedCertificates verified = new VerifiedCertificates(settings, certificates, step, CertificateNumber.NONE);
        return new Checks(
                new ResponseCheck(
                        settings, new Servers(settings, new SplittableRandom(1), step), verified, evidence -> {}),
                verified);
    }

    private static ClientId client(JsonNode node) {
        return ClientId.read(bytes(node)).orElseThrow();
    }

    private static Answer answer(JsonNode one) {
        return Codec.decode(bytes(one.path("answer")), Answer.class).accepted().orElseThrow();
    }

    private static Signed<ClientSigned> request(JsonNode one) {
        return Codec.decodeSigned(bytes(one.path("request")), ClientSigned.class)
                .accepted()
                .orElseThrow();
    }

    private boolean answers(JsonNode file, JsonNode one) {
        ResponseCheck checks = checks(file, client(file.path("client"))).responses;
        Signed<ClientSigned> request = request(one);
        Answer answer = answer(one);
        long reference = request.message() instanceof Request update ? update.number() : 0;
        Response response = answer.response().message();
        return response.reference() == reference
                && checks.common(answer).isEmpty()
                && checks.entry(response, request).isEmpty();
    }

    @Test
    void answers() {
        JsonNode file = read("answers.json");
        check(file.path("answers"), one -> answers(file, one));
    }

    @Test
    void confirmations() {
        JsonNode file = read("answers.json");
        check(file.path("confirmations"), one -> {
            Confirmation confirmation = Codec.decode(bytes(one.path("confirmation")), Confirmation.class)
                    .accepted()
                    .orElseThrow();
            boolean all = verifier.verify(confirmation.certificate()).isEmpty()
                    && confirmation.client().equals(client(file.path("client")));
            for (JsonNode update : one.path("updates")) {
                assertThat(answers(file, update)).isTrue();
                Response answer = answer(update).response().message();
                Optional<Confirmation.Covered> covered = confirmation.covered().stream()
                        .filter(item -> item.number() == answer.reference())
                        .findFirst();
                all &= covered.isPresent()
                        && InclusionCheck.check(confirmation.certificate(), covered.get(), answer)
                                .isEmpty();
            }
            return all;
        });
    }

    @Test
    void reads() {
        JsonNode file = read("reads.json");
        check(file.path("cases"), one -> {
            Read read =
                    Codec.decode(bytes(one.path("read")), Read.class).accepted().orElseThrow();
            Answer answer = answer(one);
            Response response = answer.response().message();
            ObjectProof proof = answer.proof();
            Checks checks = checks(file, client(one.has("client") ? one.path("client") : file.path("client")));
            for (JsonNode held : one.path("held")) {
                assertThat(checks.certificates.verify(Codec.decode(bytes(held), Certificate.class)
                                .accepted()
                                .orElseThrow()))
                        .isEmpty();
            }
            Optional<NotVerified> wrong = checks.responses.common(answer);
            Certificate certificate = checks.certificates.proving(read, answer);
            return certificate != null
                    && proof != null
                    && wrong.isEmpty()
                    && !response.isUpdate()
                    && response.reference() == read.nonce()
                    && response.leaf().equals(Digests.read(read))
                    && ReadCheck.check(read, response.result(), certificate, proof)
                            .isEmpty();
        });
    }

    @Test
    void proofFiles() {
        check(
                read("proof-files.json").path("cases"),
                one -> ReadProof.of(bytes(one.path("file")))
                        .filter(proof ->
                                ReadProofCheck.check(proof, certificates).isEmpty())
                        .isPresent());
    }

    /** A frame of a client is what it signed. */
    @Test
    void requestsAreFrames() {
        for (JsonNode one : read("answers.json").path("answers")) {
            assertThat(Codec.decode(bytes(one.path("request"))).accepted()).contains(new Frame.Sealed(request(one)));
        }
    }
}
