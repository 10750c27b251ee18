package org.aspas.certify.vectors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Request;
import org.junit.jupiter.api.Test;

/** The evidence and the tags of docs/vectors, checked from the files alone. */
class VectorJudgeTest {
    private static final int FIRST_KIND = 50;
    private static final int LAST_KIND = 59;

    @Test
    void evidenceIsJudgedAsTheFileSays() throws DescriptorFile.InvalidDescriptor {
        EvidenceJudge judge = EvidenceJudge.of(VectorChecksTest.descriptor());
        Set<Long> proved = new TreeSet<>();
        Set<Long> refuted = new TreeSet<>();
        JsonNode cases = VectorJson.read("evidence.json").path("cases");
        VectorChecksTest.check(cases, one -> {
            Evidence evidence = Codec.decode(VectorJson.bytes(one.path("evidence")), Evidence.class)
                    .accepted()
                    .orElseThrow();
            assertEquals(VectorJson.hash(one.path("identity")), Digests.evidence(evidence));
            assertEquals(
                    VectorChecksTest.number(one.path("kind")), evidence.kind().number());
            assertEquals(one.path("accused"), accused(evidence.accused()));
            Judgement judgement = judge.judge(evidence);
            assertEquals(
                    one.path("finding").textValue(),
                    finding(judgement),
                    one.path("name").textValue());
            boolean convicts = judgement instanceof Judgement.Guilty || judgement instanceof Judgement.NeedsReplay;
            (convicts ? proved : refuted).add((long) evidence.kind().number());
            return convicts;
        });
        assertEquals(LAST_KIND - FIRST_KIND + 1, proved.size(), "each kind is proved once: " + proved);
        assertEquals(proved, refuted, "and refuted once");
    }

    private static JsonNode accused(Accused accused) {
        return accused instanceof Accused.Client client
                ? VectorJson.object().put("client", VectorJson.hex(client.id().toBytes()))
                : VectorJson.object().put("server", String.valueOf(((Accused.Server) accused).index()));
    }

    private static String finding(Judgement judgement) {
        if (judgement instanceof Judgement.Guilty) {
            return "guilty";
        }
        if (judgement instanceof Judgement.NeedsReplay) {
            return "needs replay";
        }
        return judgement instanceof Judgement.CannotConfirm ? "cannot confirm" : "unfounded";
    }

    @Test
    void tagsAreThoseOfTheFile() throws DescriptorFile.InvalidDescriptor {
        JsonNode file = VectorJson.read("tags.json");
        AgreementKey own = AgreementKey.of(VectorJson.bytes(file.path("sharePrivateKey")));
        assertEquals(file.path("share").textValue(), own.share().toString());
        byte[] tags = RequestTags.of(
                        own,
                        VectorChecksTest.descriptor().agreements(),
                        VectorChecksTest.descriptor().id(),
                        VectorJson.hash(file.path("openSessionIdentity")))
                .of(Codec.decodeSigned(VectorJson.bytes(file.path("request")), Request.class)
                        .accepted()
                        .orElseThrow());
        assertArrayEquals(VectorJson.bytes(file.path("tags")), tags);
        assertFalse(file.path("noKey").isEmpty());
        for (JsonNode none : file.path("noKey")) {
            assertTrue(own.agree(
                            AgreementShare.of(VectorJson.bytes(none.path("share"))),
                            VectorChecksTest.descriptor().id(),
                            new byte[0])
                    .isEmpty());
        }
    }
}
