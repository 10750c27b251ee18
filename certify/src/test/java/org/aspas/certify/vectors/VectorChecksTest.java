package org.aspas.certify.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateProof;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.junit.jupiter.api.Test;

/** What the files of docs/vectors say, checked from the files alone: what is valid is accepted, and nothing else. */
class VectorChecksTest {
    private static final int MOST_REFUSED = 2;

    /** Both sides occur, and each case comes out as it says. */
    static void check(JsonNode cases, Predicate<JsonNode> accepts) {
        int refused = 0;
        for (JsonNode one : cases) {
            boolean valid = one.path("valid").booleanValue();
            assertEquals(valid, accepts.test(one), one.path("name").textValue());
            refused += valid ? 0 : 1;
            assertTrue(valid || !one.path("reason").textValue().isBlank(), "a reason");
        }
        assertTrue(refused >= MOST_REFUSED && refused < cases.size(), refused + " of " + cases.size() + " are refused");
    }

    private static JsonNode cases(String file) {
        return VectorJson.read(file).path("cases");
    }

    static long number(JsonNode node) {
        return Long.parseLong(node.textValue());
    }

    /** The descriptor that all files but a few are about. */
    static Descriptor descriptor() throws DescriptorFile.InvalidDescriptor {
        return open(cases("descriptor.json").path(0));
    }

    private static Descriptor open(JsonNode one) throws DescriptorFile.InvalidDescriptor {
        byte[] text = one.has("hex")
                ? VectorJson.bytes(one.path("hex"))
                : one.path("text").textValue().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] signature =
                VectorJson.bytes(one.path("signatureFile").textValue().strip());
        return new DescriptorFile(text, signature).open(PublicKey.of(VectorJson.bytes(one.path("operatorKey"))));
    }

    @Test
    void values() {
        check(cases("cbor.json"), one -> {
            byte[] bytes = VectorJson.bytes(one.path("hex"));
            return Codec.decodeValue(bytes)
                    .accepted()
                    .filter(value -> Arrays.equals(Codec.encodeValue(value), bytes))
                    .filter(value -> VectorJson.items(bytes).equals(one.path("value")))
                    .isPresent();
        });
    }

    @Test
    void signatures() {
        check(
                cases("signatures.json"),
                one -> Ed25519Choice.ofThisProcess()
                        .scheme()
                        .verify(
                                PublicKey.of(VectorJson.bytes(one.path("key"))),
                                VectorJson.bytes(one.path("text")),
                                VectorJson.bytes(one.path("signature"))));
    }

    @Test
    void signedTexts() {
        check(cases("signed-texts.json"), one -> {
            PublicKey key = PublicKey.of(VectorJson.bytes(one.path("key")));
            byte[] signature = VectorJson.bytes(one.path("signature"));
            assertTrue(!one.has("signedText")
                    || Ed25519Choice.ofThisProcess()
                            .scheme()
                            .verify(key, VectorJson.bytes(one.path("signedText")), signature));
            return new Verifier(VectorJson.hash(one.path("deployment")))
                    .verify(key, domain(one), VectorJson.bytes(one.path("payload")), signature);
        });
    }

    private static Domain domain(JsonNode one) {
        return Arrays.stream(Domain.values())
                .filter(domain -> domain.label().equals(one.path("domain").textValue()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void logs() {
        JsonNode file = VectorJson.read("log.json");
        MerkleLog log = new MerkleLog();
        for (JsonNode leaf : file.path("leaves")) {
            assertEquals(VectorJson.hash(leaf.path("leaf")), log.append(VectorJson.bytes(leaf.path("entry"))));
        }
        for (JsonNode root : file.path("roots")) {
            assertEquals(VectorJson.hash(root.path("root")), log.rootAt(number(root.path("size"))));
        }
        check(
                file.path("inclusion"),
                one -> new InclusionProof(
                                number(one.path("leafIndex")),
                                number(one.path("treeSize")),
                                VectorJson.hashes(one.path("path")))
                        .verifies(VectorJson.hash(one.path("leaf")), VectorJson.hash(one.path("root"))));
        check(
                file.path("consistency"),
                one -> new ConsistencyProof(
                                number(one.path("oldSize")),
                                number(one.path("newSize")),
                                VectorJson.hashes(one.path("path")))
                        .verifies(VectorJson.hash(one.path("oldRoot")), VectorJson.hash(one.path("newRoot"))));
    }

    @Test
    void states() {
        JsonNode file = VectorJson.read("state.json");
        for (JsonNode one : file.path("trees")) {
            StateTree tree = StateTree.empty();
            for (StateLeaf leaf : leaves(one.path("leaves"))) {
                tree = tree.put(leaf);
            }
            assertEquals(
                    VectorJson.hash(one.path("root")),
                    tree.root(),
                    one.path("name").textValue());
        }
        check(file.path("paths"), one -> {
            StateProof proof = new StateProof(
                    VectorJson.hashes(one.path("proof").path("siblings")),
                    VectorJson.leaf(one.path("proof").path("terminal")));
            return one.path("proves").textValue().equals("presence")
                    ? proof.provesPresence(
                            VectorJson.hash(one.path("root")),
                            VectorJson.hash(one.path("path")),
                            VectorJson.hash(one.path("value")))
                    : proof.provesAbsence(VectorJson.hash(one.path("root")), VectorJson.hash(one.path("path")));
        });
        check(
                file.path("pages"),
                one -> page(one.path("proof"))
                        .proves(
                                VectorJson.hash(one.path("root")),
                                VectorJson.hash(one.path("from")),
                                leaves(one.path("leaves"))));
    }

    @Test
    void leaves() {
        JsonNode leaves = VectorJson.read("state.json").path("leaves");
        assertEquals(5, leaves.size());
        for (JsonNode one : leaves) {
            StateLeaf leaf = LeafVectors.computed(one);
            assertEquals(
                    VectorJson.hash(one.path("path")),
                    leaf.path(),
                    one.path("name").textValue());
            assertEquals(
                    VectorJson.hash(one.path("leaf")),
                    leaf.value(),
                    one.path("name").textValue());
        }
    }

    private static PageProof page(JsonNode proof) {
        return new PageProof(
                (int) number(proof.path("bits")),
                VectorJson.hashes(proof.path("siblings")),
                VectorJson.leaf(proof.path("other")));
    }

    private static List<StateLeaf> leaves(JsonNode nodes) {
        List<StateLeaf> leaves = new ArrayList<>();
        nodes.forEach(leaf ->
                leaves.add(new StateLeaf(VectorJson.hash(leaf.path("path")), VectorJson.hash(leaf.path("value")))));
        return leaves;
    }

    @Test
    void messages() throws DescriptorFile.InvalidDescriptor {
        Verifier verifier = descriptor().verifier();
        check(cases("messages.json"), one -> {
            byte[] bytes = VectorJson.bytes(one.path("hex"));
            boolean read = Codec.decode(bytes).accepted().isPresent()
                    || Codec.decode(bytes, Message.class).accepted().isPresent();
            return read && frame(verifier, one, bytes);
        });
        for (Kind kind : Kind.values()) {
            assertTrue(
                    VectorJson.list(cases("messages.json")).stream()
                            .anyMatch(one -> one.path("kind").asText().equals(String.valueOf(kind.number()))),
                    kind + " has a sample");
        }
    }

    /** The message is that of its frame, and whoever it names signed it. */
    private static boolean frame(Verifier verifier, JsonNode one, byte[] bytes) {
        byte[] frame = VectorJson.bytes(one.path("frame"));
        if (one.path("domain").isNull()) {
            return Arrays.equals(bytes, frame);
        }
        return Codec.decode(frame).accepted().orElseThrow() instanceof Frame.Sealed sealed
                && Arrays.equals(sealed.signed().payload(), bytes)
                && sealed.signed().verify(verifier, PublicKey.of(VectorJson.bytes(one.path("signer"))), domain(one));
    }

    @Test
    void descriptors() {
        check(cases("descriptor.json"), VectorChecksTest::opens);
        check(VectorJson.read("descriptor.json").path("encodings"), VectorChecksTest::opens);
    }

    private static boolean opens(JsonNode one) {
        try {
            return open(one).id().toString().equals(one.path("deploymentId").textValue())
                    || !one.path("valid").booleanValue();
        } catch (DescriptorFile.InvalidDescriptor refused) {
            return false;
        }
    }

    @Test
    void certificates() throws DescriptorFile.InvalidDescriptor {
        Descriptor descriptor = descriptor();
        CertificateVerifier verifier =
                new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
        JsonNode file = VectorJson.read("certificates.json");
        check(
                file.path("certificates"),
                one -> verifier.verify(certificate(one.path("certificate"))).isEmpty());
        check(file.path("chains"), one -> {
            List<Certificate> chain = new ArrayList<>();
            one.path("certificates").forEach(each -> chain.add(certificate(each)));
            boolean follows = true;
            for (int i = 0; i < chain.size(); i++) {
                assertTrue(verifier.verify(chain.get(i)).isEmpty());
                follows &= i == 0
                        || CertificateChain.wrong(chain.get(i - 1), chain.get(i))
                                .isEmpty();
            }
            return follows;
        });
    }

    static Certificate certificate(JsonNode hex) {
        return Codec.decode(VectorJson.bytes(hex), Certificate.class).accepted().orElseThrow();
    }
}
