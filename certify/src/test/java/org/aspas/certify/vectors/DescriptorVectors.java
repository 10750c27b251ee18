package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;

/** The descriptor of the vectors' deployment, and what is none (docs/formats.md §11). */
final class DescriptorVectors {
    private static final VectorWorld WORLD = VectorWorld.WORLD;
    private static final String[][] WRONG = {
        {"a name twice", "\"f\" : 1", "\"f\" : 1, \"f\" : 1", "no name occurs twice"},
        {"a name that the format does not have", "\"f\" : 1", "\"f\" : 1, \"g\" : 1", "no unknown name"},
        {"a name that is missing", "\"f\" : 1,", "", "f is missing"},
        {"a number with a fraction", "\"f\" : 1", "\"f\" : 1.0", "numbers are integers without fraction"},
        {"another format", "\"format\" : 1", "\"format\" : 2", "the format is 1"},
        {"another rule for signatures", "ed25519-cofactorless", "ed25519-cofactored", "the rule is not known"},
        {"more faults than servers", "\"b\" : 1", "\"b\" : 2", "there are 3b+1 bftservers"},
        {"no fault", "\"f\" : 1", "\"f\" : 0", "f is from 1"},
        {"a port that is none", "\"linkPort\" : 7100", "\"linkPort\" : 65536", "ports are up to 65535"},
        {"an index twice", "\"index\" : 1", "\"index\" : 0", "each index once"},
        {"a blank host", "\"127.0.0.1\"", "\" \"", "the host is not blank"},
        {"a limit out of its range", "\"tickMillis\" : 100", "\"tickMillis\" : 4", "limits have ranges"},
        {"a limit that is missing", "\"tickMillis\" : 100,", "", "limits are complete"},
        {"something behind the object", "}\n$", "} 1", "nothing stands behind the object"},
    };

    private DescriptorVectors() {}

    static ObjectNode make() {
        ObjectNode out = VectorJson.object();
        out.put("operatorSeed", VectorJson.hex(VectorWorld.operator().seed()));
        VectorCases cases = new VectorCases();
        fill(cases.valid("the deployment of these vectors"), VectorWorld.operator(), WORLD.file)
                .put("deploymentId", WORLD.deployment.toString())
                .put("f", "1")
                .put("b", "1");
        refused(cases);
        out.set("cases", cases.list());
        return out;
    }

    private static void refused(VectorCases cases) {
        SigningKey other = VectorWorld.key(0x41);
        fill(
                cases.invalid(
                        "signed by somebody else, with the operator's name in it",
                        "the signature is not the operator's"),
                VectorWorld.operator(),
                new DescriptorFile(WORLD.file.text(), other.sign(Domain.DEPLOYMENT, Hash.ZERO, WORLD.file.text())));
        fill(
                cases.invalid("checked with another trust anchor", "the signature is not the trusted operator's"),
                other,
                WORLD.file);
        byte[] longer = (text() + "\n").getBytes(StandardCharsets.UTF_8);
        fill(
                cases.invalid("a byte more than was signed", "the signature covers the exact bytes"),
                VectorWorld.operator(),
                new DescriptorFile(longer, WORLD.file.signature()));
        fill(
                cases.invalid("signed for a deployment id", "32 zero bytes stand for the deployment id"),
                VectorWorld.operator(),
                new DescriptorFile(
                        WORLD.file.text(),
                        VectorWorld.operator().sign(Domain.DEPLOYMENT, WORLD.deployment, WORLD.file.text())));
        for (String[] each : WRONG) {
            String text = text().replaceFirst(each[1], each[2]);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            fill(
                    cases.invalid(each[0], each[3]),
                    VectorWorld.operator(),
                    new DescriptorFile(bytes, VectorWorld.operator().sign(Domain.DEPLOYMENT, Hash.ZERO, bytes)));
        }
    }

    private static String text() {
        return new String(WORLD.file.text(), StandardCharsets.UTF_8);
    }

    private static ObjectNode fill(ObjectNode out, SigningKey anchor, DescriptorFile file) {
        return out.put("operatorKey", anchor.publicKey().toString())
                .put("text", new String(file.text(), StandardCharsets.UTF_8))
                .put("signatureFile", VectorJson.hex(file.signature()) + "\n");
    }
}
