package org.aspas.emulab.console.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.aspas.emulab.testbed.cluster.ServerHttp;

/** Queries servers over HTTP. A failed request gives an empty result. */
final class ServerAnswer {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int DONE = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private ServerAnswer() {}

    /** Returns the body of a successful answer; never fails. */
    static CompletableFuture<Optional<byte[]>> bytes(HttpClient http, URI uri) {
        return ServerHttp.get(http, uri, TIMEOUT)
                .thenApply(
                        answer -> answer.statusCode() == DONE ? Optional.of(answer.body()) : Optional.<byte[]>empty())
                .exceptionally(unreachable -> Optional.empty());
    }

    /** Returns the JSON of a successful answer, or a missing node; never fails. */
    static CompletableFuture<JsonNode> json(HttpClient http, URI uri) {
        return bytes(http, uri).thenApply(body -> body.map(ServerAnswer::parse).orElse(MissingNode.getInstance()));
    }

    private static JsonNode parse(byte[] body) {
        try {
            return JSON.readTree(new String(body, StandardCharsets.UTF_8));
        } catch (JsonProcessingException noJson) {
            return MissingNode.getInstance();
        }
    }
}
