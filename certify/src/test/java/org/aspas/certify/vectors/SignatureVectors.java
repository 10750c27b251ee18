package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.charset.StandardCharsets;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519SelfTest;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;

/** Signatures by the rule of docs/formats.md §3, and the texts that are signed. */
final class SignatureVectors {
    private SignatureVectors() {}

    /** The table of the page. */
    static ArrayNode rule() {
        VectorCases cases = new VectorCases();
        for (Ed25519SelfTest.Vector vector : Ed25519SelfTest.vectors()) {
            (vector.valid() ? cases.valid(vector.name()) : cases.invalid(vector.name(), "the rule of §3"))
                    .put("key", vector.key())
                    .put("text", vector.text())
                    .put("signature", vector.signature());
        }
        return cases.list();
    }

    /** One text for each domain, and one that was signed for another use. */
    static ArrayNode texts() {
        VectorCases cases = new VectorCases();
        byte[] payload = "payload".getBytes(StandardCharsets.UTF_8);
        for (Domain domain : Domain.values()) {
            SigningKey key = VectorWorld.key(0x50 + domain.ordinal());
            Hash deployment = domain == Domain.DEPLOYMENT ? Hash.ZERO : VectorWorld.WORLD.deployment;
            String text = VectorJson.hex(("aspas/v1/" + domain.label()).getBytes(StandardCharsets.US_ASCII)) + "00"
                    + deployment + VectorJson.hex(payload);
            cases.valid(domain.label())
                    .put("domain", domain.label())
                    .put("deployment", deployment.toString())
                    .put("payload", VectorJson.hex(payload))
                    .put("signedText", text)
                    .put("seed", VectorJson.hex(key.seed()))
                    .put("key", key.publicKey().toString())
                    .put("signature", VectorJson.hex(key.sign(domain, deployment, payload)));
        }
        refused(cases, payload);
        return cases.list();
    }

    private static void refused(VectorCases cases, byte[] payload) {
        SigningKey key = VectorWorld.key(0x50);
        Hash deployment = VectorWorld.WORLD.deployment;
        String signature = VectorJson.hex(key.sign(Domain.REQUEST, deployment, payload));
        String[][] wrong = {
            {"signed in another domain", Domain.SESSION.label(), deployment.toString(), VectorJson.hex(payload)},
            {"signed for another deployment", Domain.REQUEST.label(), Hash.ZERO.toString(), VectorJson.hex(payload)},
            {"of another payload", Domain.REQUEST.label(), deployment.toString(), VectorJson.hex(payload) + "00"}
        };
        for (String[] each : wrong) {
            cases.invalid(each[0], "the signed text is another one")
                    .put("domain", each[1])
                    .put("deployment", each[2])
                    .put("payload", each[3])
                    .put("key", key.publicKey().toString())
                    .put("signature", signature);
        }
    }
}
