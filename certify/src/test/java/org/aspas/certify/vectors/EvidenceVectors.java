package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;

/** Evidence of each kind that proves its case, and of each kind that does not (docs/formats.md §10). */
final class EvidenceVectors {
    private EvidenceVectors() {}

    static ArrayNode make() {
        VectorCases cases = new VectorCases();
        Offences offences = new Offences();
        offences.guilty().forEach((name, evidence) -> fill(cases.valid(name), evidence, "guilty"));
        offences.replayed().forEach((name, evidence) -> fill(cases.valid(name), evidence, "needs replay"));
        offences.later()
                .forEach((name, evidence) -> fill(
                        cases.invalid(name, "it names an incarnation of an appserver that is not open"),
                        evidence,
                        "cannot confirm"));
        new NoOffences(offences)
                .all()
                .forEach(each -> fill(cases.invalid(each.name(), each.reason()), each.evidence(), "unfounded"));
        return cases.list();
    }

    private static void fill(ObjectNode out, Evidence evidence, String finding) {
        out.put("kind", String.valueOf(evidence.kind().number()))
                .put("evidence", VectorJson.hex(evidence))
                .put("identity", Digests.evidence(evidence).toString())
                .put("finding", finding);
        if (evidence.accused() instanceof Accused.Client client) {
            out.putObject("accused").put("client", VectorJson.hex(client.id().toBytes()));
        } else {
            out.putObject("accused").put("server", String.valueOf(((Accused.Server) evidence.accused()).index()));
        }
    }
}
