package org.aspas.appserver.http;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.RemoteAddress;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request whose endpoint is known, with what its path and its query say. Nothing in the query is ignored: what the endpoint does
 * not know, or what stands there twice, is refused with a list of what it knows.
 */
final class RoutedRequest {
    private final HttpRequest http;
    private final Endpoint endpoint;
    private final List<String> variables;
    private final Map<QueryParameter, List<String>> parameters;
    private final int keyBytes;

    private RoutedRequest(
            HttpRequest http,
            Endpoint endpoint,
            List<String> variables,
            Map<QueryParameter, List<String>> parameters,
            int keyBytes) {
        this.http = http;
        this.endpoint = endpoint;
        this.variables = variables;
        this.parameters = parameters;
        this.keyBytes = keyBytes;
    }

    /**
     * Finds the endpoint.
     *
     * @param keyBytes how many bytes a key of the deployment has at most
     * @throws ProblemException when there is none, or its method or its parameters are others
     */
    static RoutedRequest of(HttpRequest http, RequestTarget target, int keyBytes) {
        List<Endpoint> there = Endpoint.at(target.path());
        if (there.isEmpty()) {
            throw new ProblemException(nothingAt(target.path()));
        }
        String method = http.method().value();
        Endpoint endpoint = there.stream()
                .filter(one -> one.takes(method))
                .findFirst()
                .orElseThrow(() -> new ProblemException(Problem.notAllowed(method, Endpoint.allowed(there))));
        return new RoutedRequest(
                http, endpoint, endpoint.variablesOf(target.path()), parameters(target.query(), endpoint), keyBytes);
    }

    /** The problem of a path that does not exist, with what may have been meant. */
    static Problem nothingAt(List<String> path) {
        boolean ofObjects = path.size() > 3
                && path.get(0).equals("v1")
                && (path.get(1).equals("counters") || path.get(1).equals("sets"));
        return Problem.notFound(
                ofObjects
                        ? "No resource has this path. A key is one segment: encode a / in it as %2F, as in /v1/"
                                + path.get(1) + "/likes%2F42."
                        : "No resource has this path. GET /openapi.yaml describes all of them.");
    }

    private static Map<QueryParameter, List<String>> parameters(
            List<RequestTarget.Parameter> query, Endpoint endpoint) {
        Map<QueryParameter, List<String>> found = new EnumMap<>(QueryParameter.class);
        for (RequestTarget.Parameter one : query) {
            QueryParameter parameter = QueryParameter.of(one.name())
                    .filter(endpoint.parameters()::contains)
                    .orElseThrow(() -> new ProblemException(Problem.unknownParameter(one.name(), endpoint)));
            List<String> values = found.computeIfAbsent(parameter, any -> new ArrayList<>());
            if (!values.isEmpty() && !parameter.repeats()) {
                throw new ProblemException(Problem.repeatedParameter("parameter '" + one.name() + "'"));
            }
            if (values.contains(one.value())) {
                throw new ProblemException(Problem.repeatedParameter(one.name() + " '" + one.value() + "'"));
            }
            values.add(one.value());
        }
        return found;
    }

    HttpRequest http() {
        return http;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Optional<InetAddress> remote() {
        return http.getAttribute(AttributeKeys.remoteAddress).flatMap(RemoteAddress::getAddress);
    }

    /** What the path has in the place of its only variable. */
    String variable() {
        return variables.get(0);
    }

    /**
     * The key in the path.
     *
     * @throws ProblemException when it is longer than any of the deployment
     */
    String key() {
        return checked(variable());
    }

    private String checked(String key) {
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0) {
            throw new ProblemException(
                    Problem.badRequest("The query has an empty key. A key has at least one character."));
        }
        if (bytes > keyBytes) {
            throw new ProblemException(Problem.tooLarge(
                    "The key has " + bytes + " bytes of UTF-8, and keys here have at most " + keyBytes + "."));
        }
        return key;
    }

    /**
     * The keys in the query.
     *
     * @throws ProblemException when there is none, or there are more
     */
    List<String> keys(int most) {
        List<String> keys = parameters.getOrDefault(QueryParameter.KEY, List.of());
        if (keys.isEmpty()) {
            throw new ProblemException(Problem.badRequest("The query names no key; ?key=A&key=B names two."));
        }
        if (keys.size() > most) {
            throw new ProblemException(Problem.tooLarge("A request may name " + most + " keys."));
        }
        return keys.stream().map(this::checked).toList();
    }

    /** Whether the query names a parameter, whatever it says. */
    boolean has(QueryParameter parameter) {
        return parameters.containsKey(parameter);
    }

    Optional<String> value(QueryParameter parameter) {
        return Optional.ofNullable(parameters.get(parameter)).map(values -> values.get(0));
    }

    boolean flag(QueryParameter parameter) {
        return oneOf(parameter, "false", "true").equals("true");
    }

    boolean certified() {
        return oneOf(QueryParameter.LEVEL, "local", "certified").equals("certified");
    }

    boolean integersAsText() {
        return oneOf(QueryParameter.INTEGERS, "number", "text").equals("text");
    }

    private String oneOf(QueryParameter parameter, String usual, String other) {
        String text = value(parameter).orElse(usual);
        if (!text.equals(usual) && !text.equals(other)) {
            throw new ProblemException(Problem.badRequest(parameter.described() + " is '" + text + "'."));
        }
        return text;
    }
}
