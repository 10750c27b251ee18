package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
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
        {"a byte order mark", "\\A", "\ufeff", "the text is UTF-8 without a byte order mark"},
        {"a port of sessions that is 0", "\"sessionPort\" : [0-9]+", "\"sessionPort\" : 0", "a session port is from 1"},
        {"a port of sessions that is -0", "\"sessionPort\" : [0-9]+", "\"sessionPort\" : -0", "a session port is from 1"
        },
        {"a host with an underscore", "\"127.0.0.1\"", "\"a_b.example\"", "hosts are as in texts.json"},
        {"a host that is no IPv4 address", "\"127.0.0.1\"", "\"256.1.1.1\"", "hosts are as in texts.json"},
        {"a host in brackets", "\"127.0.0.1\"", "\"[::1]\"", "hosts are as in texts.json"},
        {"a host with a port", "\"127.0.0.1\"", "\"localhost:8100\"", "hosts are as in texts.json"},
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
        out.set("encodings", encodings().list());
        return out;
    }

    /** Signed texts whose bytes are not UTF-8: a text of JSON could not show them. */
    private static VectorCases encodings() {
        VectorCases cases = new VectorCases();
        byte[] right = WORLD.file.text();
        encoded(cases.valid("UTF-8"), right).put("deploymentId", WORLD.deployment.toString());
        String rule = "the text is UTF-8 without a byte order mark";
        encoded(cases.invalid("UTF-16, big end first", rule), text().getBytes(StandardCharsets.UTF_16BE));
        encoded(cases.invalid("UTF-16, little end first", rule), text().getBytes(StandardCharsets.UTF_16LE));
        encoded(cases.invalid("UTF-16 with a byte order mark", rule), text().getBytes(StandardCharsets.UTF_16));
        encoded(cases.invalid("UTF-32", rule), text().getBytes(Charset.forName("UTF-32BE")));
        encoded(
                cases.invalid("UTF-8 with a byte order mark", rule),
                ("\ufeff" + text()).getBytes(StandardCharsets.UTF_8));
        encoded(cases.invalid("an overlong letter", rule), named(0xc1, 0xb6));
        encoded(cases.invalid("a surrogate in three bytes", rule), named(0xed, 0xa0, 0x80));
        encoded(cases.invalid("Latin-1", rule), named(0xe9));
        return cases;
    }

    /** The text with these bytes in the place of the first letter of the name. */
    private static byte[] named(int... bytes) {
        String marked = text().replaceFirst("\"vectors\"", "\"#ectors\"");
        int at = marked.indexOf('#');
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(marked.substring(0, at).getBytes(StandardCharsets.UTF_8));
        for (int each : bytes) {
            out.write(each);
        }
        out.writeBytes(marked.substring(at + 1).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private static ObjectNode encoded(ObjectNode out, byte[] bytes) {
        byte[] signature = VectorWorld.operator().sign(Domain.DEPLOYMENT, Hash.ZERO, bytes);
        return out.put("operatorKey", VectorWorld.operator().publicKey().toString())
                .put("hex", VectorJson.hex(bytes))
                .put("signatureFile", VectorJson.hex(signature) + "\n");
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
