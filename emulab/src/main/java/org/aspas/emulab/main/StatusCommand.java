package org.aspas.emulab.main;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.deployment.DeploymentDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code aspas status}: one row per appserver, as each tells of itself. */
@Command(name = "status", description = "Show each appserver's version vector, newest certificate and lag.")
final class StatusCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(
            names = "--dir",
            defaultValue = "${env:ASPAS_DIR:-.}",
            paramLabel = "DIR",
            description = "The deployment's directory (default: $ASPAS_DIR, else the current one).")
    private Path directory = Path.of(".");

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws DeploymentDirectory.UnusableDirectory, IOException, InterruptedException {
        HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
        ArrayNode rows = JSON.createArrayNode();
        boolean allAnswered = true;
        for (NodeDescription node :
                new DeploymentDirectory(directory).descriptor().nodes(Role.APPSERVER)) {
            ObjectNode row = rows.addObject().put("server", node.id().toString());
            allAnswered &= ask(http, node, row);
        }
        if (json.wanted()) {
            json.print(rows);
        } else {
            rows.forEach(StatusCommand::printRow);
        }
        return allAnswered ? ExitCodes.DONE : ExitCodes.UNREACHABLE;
    }

    private static boolean ask(HttpClient http, NodeDescription node, ObjectNode row) throws InterruptedException {
        URI uri = URI.create("http://" + node.host() + ":" + node.servicePort() + "/v1/status");
        try {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
            row.set("status", JSON.readTree(answer.body()));
            return true;
        } catch (IOException unreachable) {
            row.put("error", "unreachable at " + uri);
            return false;
        }
    }

    private static void printRow(JsonNode row) {
        System.out.println(row.path("server").asText() + "  "
                + (row.has("error")
                        ? row.path("error").asText()
                        : row.path("status").toString()));
    }
}
