package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.crdt.value.Printable;
import org.aspas.emulab.testbed.cluster.ServerHttp;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code aspas blacklist}: who is out, since when, why, with the proof, judged here. */
@Command(
        name = "blacklist",
        description = "List the excluded servers, since when and why, and verify the proofs locally.",
        footerHeading = "%nExamples:%n",
        footer = {"  aspas blacklist --dir lab", "  aspas blacklist --dir lab --out proofs --json"})
final class BlacklistCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Mixin
    private DeploymentOption deployment = new DeploymentOption();

    @Mixin
    private TrustOption trust = new TrustOption();

    @Option(names = "--out", paramLabel = "DIR", description = "Write each proof to this directory as HASH.evidence.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws DeploymentDirectory.UnusableDirectory, IOException, InterruptedException {
        Descriptor descriptor = deployment.directory().descriptor();
        HttpClient http =
                trust.of(deployment.directory()).http().connectTimeout(TIMEOUT).build();
        ArrayNode rows = JSON.createArrayNode();
        boolean answered = false;
        for (NodeDescription node : descriptor.nodes(Role.APPSERVER)) {
            String base = node.http() + "/v1/";
            ObjectNode row = rows.addObject().put("told_by", node.id().toString());
            StatusRow status = StatusRow.ask(http, TIMEOUT, descriptor, node).join();
            if (!status.tells()) {
                row.put("error", status.silence());
                continue;
            }
            JsonNode told = ServerHttp.json(http, URI.create(base + "blacklist"), TIMEOUT)
                    .join();
            if (told.isMissingNode()) {
                row.put("error", "no answer from " + base);
                continue;
            }
            answered = true;
            row.set("appservers", judged(http, descriptor, base, told.path("appservers")));
            row.set("clients", judged(http, descriptor, base, told.path("clients")));
        }
        print(rows);
        return answered ? ExitCodes.DONE : ExitCodes.UNREACHABLE;
    }

    private ArrayNode judged(HttpClient http, Descriptor descriptor, String base, JsonNode told) throws IOException {
        ArrayNode judged = JSON.createArrayNode();
        for (JsonNode one : told) {
            ObjectNode row = judged.addObject();
            one.fields().forEachRemaining(field -> row.set(field.getKey(), field.getValue()));
            String hash = text(one, "evidence");
            Optional<byte[]> proof = hash.matches("[0-9a-f]{64}")
                    ? ServerHttp.body(http, URI.create(base + "evidence/" + hash), TIMEOUT)
                            .join()
                    : Optional.empty();
            row.put("proof", proof.map(bytes -> judge(descriptor, bytes, hash)).orElse("proof not available"));
            Path target = out;
            if (target != null && proof.isPresent()) {
                Files.createDirectories(target);
                OutputFile.write(target.resolve(hash + ".evidence"), proof.get());
            }
        }
        return judged;
    }

    private static String judge(Descriptor descriptor, byte[] bytes, String hash) {
        Optional<Evidence> evidence = Codec.decode(bytes, Evidence.class).accepted();
        if (evidence.isEmpty() || !Digests.evidence(evidence.get()).toString().equals(hash)) {
            return "not the evidence with this hash";
        }
        Judgement judgement = EvidenceJudge.of(descriptor).judge(evidence.get());
        if (judgement instanceof Judgement.Guilty guilty) {
            return "proves that " + guilty.accused() + " is guilty";
        }
        if (judgement instanceof Judgement.CannotConfirm unknown) {
            return "cannot be confirmed here: " + unknown.why();
        }
        return judgement instanceof Judgement.NeedsReplay
                ? "properly signed; the verdict is up to f+1 appservers"
                : "PROVES NOTHING: " + ((Judgement.Unfounded) judgement).why();
    }

    private void print(ArrayNode rows) throws IOException {
        if (json.wanted()) {
            json.print(rows);
            return;
        }
        List<String> innocent = new ArrayList<>();
        for (JsonNode row : rows) {
            String teller = row.path("told_by").asText();
            if (row.has("error")) {
                json.out().println(teller + ": " + text(row, "error"));
            } else if (row.path("appservers").isEmpty() && row.path("clients").isEmpty()) {
                innocent.add(teller);
            } else {
                json.out().println("reported by " + teller + ":");
            }
            row.path("appservers")
                    .forEach(one -> json.out()
                            .println("  appserver " + one.path("server").asInt()
                                    + ", out since certificate "
                                    + one.path("since_certificate").asLong() + ", cut after entry "
                                    + one.path("cut").asLong() + ", for "
                                    + Printable.text(one.path("why").asText("unknown reasons")) + "; "
                                    + text(one, "evidence") + " "
                                    + text(one, "proof")));
            row.path("clients")
                    .forEach(one -> json.out()
                            .println("  client " + text(one, "client") + ", for "
                                    + text(one, "why") + "; "
                                    + text(one, "evidence") + " "
                                    + text(one, "proof")));
        }
        if (!innocent.isEmpty()) {
            json.out().println("nobody is excluded, according to " + String.join(", ", innocent));
        }
    }

    private static String text(JsonNode row, String name) {
        return Printable.text(row.path(name).asText());
    }
}
