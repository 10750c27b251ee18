package org.aspas.emulab.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** What every answer of the console has in common. */
final class ConsoleAnswers {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private ConsoleAnswers() {}

    /** Sets the headers that keep a page to itself. */
    static void secure(HttpExchange exchange) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-store");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Content-Security-Policy", POLICY);
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
    }

    static void bytes(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head || body.length == 0 ? -1 : body.length);
        if (!head && body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    static void json(HttpExchange exchange, JsonNode body) throws IOException {
        bytes(exchange, 200, "application/json", MAPPER.writeValueAsBytes(body));
    }

    static void problem(HttpExchange exchange, ConsoleProblem problem) throws IOException {
        ObjectNode body = MAPPER.createObjectNode()
                .put("type", "urn:aspas:problem:" + problem.name())
                .put("status", problem.status())
                .put("detail", problem.detail());
        bytes(exchange, problem.status(), "application/problem+json", MAPPER.writeValueAsBytes(body));
    }
}
