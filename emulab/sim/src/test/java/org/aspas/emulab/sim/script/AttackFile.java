package org.aspas.emulab.sim.script;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.script.Identities.SimulatedDescriptor;

/** How docs/vectors/attacks.json says what attackers were convicted by; docs/vectors/README.md has the layout. */
final class AttackFile {
    private static final HexFormat HEX = HexFormat.of();
    /** In each piece of evidence so many places are changed, from the first byte to the last. */
    private static final int CHANGED = 8;

    private final DescriptorFile file;
    private final Descriptor descriptor;
    private final EvidenceJudge judge;
    private final ArrayNode cases = JsonNodeFactory.instance.arrayNode();

    AttackFile(DescriptorFile file) {
        this.file = file;
        this.descriptor = opened(file);
        this.judge = EvidenceJudge.of(descriptor);
    }

    private static Descriptor opened(DescriptorFile file) {
        try {
            return file.open(SimulatedDescriptor.operator().publicKey());
        } catch (DescriptorFile.InvalidDescriptor broken) {
            throw new IllegalStateException("the descriptor of the simulation", broken);
        }
    }

    ObjectNode whole() {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        out.putObject("descriptor")
                .put("text", new String(file.text(), StandardCharsets.UTF_8))
                .put("signatureFile", HEX.formatHex(file.signature()) + "\n")
                .put("operatorKey", SimulatedDescriptor.operator().publicKey().toString())
                .put("deploymentId", descriptor.id().toString());
        out.set("cases", cases);
        return out;
    }

    /** Takes in what a party with a role was convicted by. */
    void add(String role, long seed, List<AttackRun.Piece> pieces) {
        for (AttackRun.Piece piece : pieces) {
            Evidence evidence = piece.evidence();
            byte[] bytes = Codec.encode(evidence);
            ObjectNode one = cases.addObject();
            one.put("role", role)
                    .put("does", Roles.line(role))
                    .put("seed", String.valueOf(seed))
                    .put("kind", String.valueOf(evidence.kind().number()))
                    .put("evidence", HEX.formatHex(bytes))
                    .put("identity", Digests.evidence(evidence).toString())
                    .put("finding", finding(bytes));
            one.set("accused", accused(evidence.accused()));
            Signed<Verdict> verdict = piece.verdict();
            if (verdict != null) {
                one.put("verdict", HEX.formatHex(Codec.encode(verdict)));
            }
            changed(one.putArray("changed"), bytes);
        }
    }

    private void changed(ArrayNode out, byte[] bytes) {
        for (int place = 0; place < CHANGED; place++) {
            int at = (int) ((long) place * (bytes.length - 1) / (CHANGED - 1));
            byte[] other = bytes.clone();
            other[at] ^= 1;
            out.addObject().put("at", String.valueOf(at)).put("finding", finding(other));
        }
    }

    /** What bytes prove by their signatures alone. */
    String finding(byte[] bytes) {
        return Codec.decode(bytes, Evidence.class)
                .accepted()
                .map(judge::judge)
                .map(AttackFile::name)
                .orElse("malformed");
    }

    private static String name(Judgement judgement) {
        if (judgement instanceof Judgement.Guilty) {
            return "guilty";
        }
        if (judgement instanceof Judgement.NeedsReplay) {
            return "needs replay";
        }
        return judgement instanceof Judgement.CannotConfirm ? "cannot confirm" : "unfounded";
    }

    private static ObjectNode accused(Accused accused) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        return accused instanceof Accused.Client client
                ? out.put("client", HEX.formatHex(client.id().toBytes()))
                : out.put("server", String.valueOf(((Accused.Server) accused).index()));
    }
}
