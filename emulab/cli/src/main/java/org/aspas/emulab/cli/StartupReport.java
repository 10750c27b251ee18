package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.aspas.emulab.experiments.scale.NodeStart;
import org.aspas.emulab.experiments.scale.Sample;
import org.aspas.emulab.experiments.scale.SetCosts;

/** What {@code emulab startup} measured: lines as they come, or one JSON document at the end. For one thread. */
final class StartupReport {
    private static final double MEDIAN = 0.5;
    private static final double MOST = 0.99;

    private final JsonOption option;
    private final ObjectNode document = new ObjectMapper().createObjectNode();
    private final ArrayNode starts;
    private final ArrayNode certified;

    StartupReport(JsonOption option, Path directory, int heapMib) {
        this.option = option;
        document.put("directory", directory.toString()).put("heap_limit_mib", heapMib);
        this.starts = document.putArray("starts");
        this.certified = document.putArray("certified_after_seconds");
    }

    /**
     * An appserver started.
     *
     * @param how with which others
     */
    void started(int server, String how, NodeStart start) {
        starts.addObject()
                .put("appserver", server)
                .put("how", how)
                .put("seconds", start.seconds())
                .put("processor_seconds", start.processorSeconds())
                .put("heap_bytes", start.heapBytes())
                .put("resident_bytes", start.residentBytes())
                .put("base_bytes", start.baseBytes())
                .put("journal_bytes", start.journalBytes());
        tell("appserver-" + server + ", " + how + ": " + start.line());
    }

    /** An update was certified so long after its client began. */
    void certified(double seconds) {
        certified.add(seconds);
        tell(String.format(Locale.ROOT, "an update was certified %.2f s after a client began", seconds));
    }

    void served(String key, int rounds, SetCosts costs) {
        ObjectNode set = document.putObject("set")
                .put("key", key)
                .put("rounds", rounds)
                .put("elements", costs.elements())
                .put("page_elements", costs.pageElements())
                .put("page_proof_bytes", costs.pageProofBytes())
                .put("element_proof_bytes", costs.elementProofBytes());
        ArrayNode times = set.putArray("times");
        for (Sample sample : costs.times()) {
            times.addObject()
                    .put("what", sample.name())
                    .put("count", sample.count())
                    .put("p50_millis", sample.quantile(MEDIAN))
                    .put("p99_millis", sample.quantile(MOST));
        }
        ArrayNode certificates = set.putArray("certificates");
        for (SetCosts.CertificateCost cost : costs.certificates()) {
            certificates
                    .addObject()
                    .put("added_at_once", cost.atOnce())
                    .put("count", cost.certificates())
                    .put("processor_millis_each", cost.processorMillis());
        }
        tell("the set " + key + ":");
        costs.lines().forEach(this::tell);
    }

    void end() throws IOException {
        if (option.wanted()) {
            option.print(document);
        }
    }

    private void tell(String line) {
        if (!option.wanted()) {
            option.out().println(line);
            option.out().flush();
        }
    }
}
