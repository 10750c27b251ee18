package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** All files that this module makes, by their names. */
final class VectorFiles {
    private VectorFiles() {}

    static Map<String, JsonNode> all() {
        Map<String, JsonNode> files = new LinkedHashMap<>();
        files.put("cbor.json", cases(CborVectors.make()));
        files.put("signatures.json", cases(SignatureVectors.rule()));
        files.put("signed-texts.json", cases(SignatureVectors.texts()));
        files.put("log.json", LogVectors.make());
        files.put("state.json", StateVectors.make());
        files.put("messages.json", cases(MessageVectors.make()));
        files.put("descriptor.json", DescriptorVectors.make());
        files.put("certificates.json", CertificateVectors.make());
        files.put("answers.json", AnswerVectors.make());
        files.put("reads.json", ReadVectors.make());
        files.put("proof-files.json", ReadVectors.files());
        files.put("evidence.json", cases(EvidenceVectors.make()));
        files.put("snapshots.json", cases(SnapshotVectors.make()));
        files.put("tags.json", TagVectors.make());
        files.put("example.json", example());
        return files;
    }

    private static ObjectNode cases(JsonNode list) {
        ObjectNode out = VectorJson.object();
        out.set("cases", list);
        return out;
    }

    private static ObjectNode example() {
        ObjectNode out = VectorJson.object();
        WorkedExample.lines().forEach(out::put);
        return out;
    }
}
