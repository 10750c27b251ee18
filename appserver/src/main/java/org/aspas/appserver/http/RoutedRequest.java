package org.aspas.appserver.http;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.RemoteAddress;
import akka.japi.Pair;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.aspas.crdt.value.Value;

/**
 * A request whose endpoint is known, with what its path and its query say. Nothing in the query is ignored: what the endpoint does
 * not know, or what stands there twice, is refused with a list of what it knows.
 */
final class RoutedRequest {
    private static final char REPLACEMENT = '\uFFFD';

    private final HttpRequest http;
    private final Endpoint endpoint;
    private final List<String> variables;
    private final Map<QueryParameter, List<String>> parameters;

    private RoutedRequest(
            HttpRequest http, Endpoint endpoint, List<String> variables, Map<QueryParameter, List<String>> parameters) {
        this.http = http;
        this.endpoint = endpoint;
        this.variables = variables;
        this.parameters = parameters;
    }

    /**
     * Finds the endpoint.
     *
     * @throws ProblemException when there is none, or its method or its parameters are others
     */
    static RoutedRequest of(HttpRequest http) {
        List<String> path = new ArrayList<>();
        http.getUri().pathSegments().forEach(path::add);
        List<Endpoint> there = Endpoint.at(path);
        if (there.isEmpty()) {
            throw new ProblemException(
                    Problem.notFound("No resource has this path. GET /openapi.yaml describes all of them."));
        }
        String method = http.method().value();
        Endpoint endpoint = there.stream()
                .filter(one -> one.takes(method))
                .findFirst()
                .orElseThrow(() -> new ProblemException(Problem.notAllowed(
                        there.stream().map(Endpoint::method).distinct().collect(Collectors.joining(", ")))));
        return new RoutedRequest(http, endpoint, endpoint.variablesOf(path), parameters(http, endpoint));
    }

    private static Map<QueryParameter, List<String>> parameters(HttpRequest http, Endpoint endpoint) {
        Map<QueryParameter, List<String>> found = new EnumMap<>(QueryParameter.class);
        for (Pair<String, String> pair : http.getUri().query().toList()) {
            QueryParameter parameter = QueryParameter.of(pair.first())
                    .filter(endpoint.parameters()::contains)
                    .orElseThrow(() -> new ProblemException(Problem.unknownParameter(pair.first(), endpoint)));
            List<String> values = found.computeIfAbsent(parameter, any -> new ArrayList<>());
            values.add(pair.second());
            if (values.size() > 1 && !parameter.repeats()) {
                throw new ProblemException(Problem.repeatedParameter(parameter.label()));
            }
        }
        return found;
    }

    HttpRequest http() {
        return http;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Where it comes from; empty when that is not known. */
    Optional<InetAddress> remote() {
        return http.getAttribute(AttributeKeys.remoteAddress).flatMap(RemoteAddress::getAddress);
    }

    /** What the path has in the place of its only variable. */
    String variable() {
        return variables.get(0);
    }

    /** The key in the path. */
    String key() {
        return checked(variable());
    }

    /**
     * The keys in the query.
     *
     * @param most how many are taken
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
        return keys.stream().map(RoutedRequest::checked).distinct().toList();
    }

    /** Akka puts the replacement character where bytes are not UTF-8, and two keys must not become one. */
    private static String checked(String key) {
        if (key.isEmpty() || !Value.Text.isWellFormed(key) || key.indexOf(REPLACEMENT) >= 0) {
            throw new ProblemException(Problem.badRequest("The key is empty, is not UTF-8, or holds U+FFFD."));
        }
        return key;
    }

    /** Whether the query names a parameter, whatever it says. */
    boolean has(QueryParameter parameter) {
        return parameters.containsKey(parameter);
    }

    /** What the query says; empty when it does not name the parameter. */
    Optional<String> value(QueryParameter parameter) {
        return Optional.ofNullable(parameters.get(parameter)).map(values -> values.get(0));
    }

    /** Whether the query says true. */
    boolean flag(QueryParameter parameter) {
        return oneOf(parameter, "false", "true").equals("true");
    }

    /** Whether the query wants what is certified. */
    boolean certified() {
        return oneOf(QueryParameter.LEVEL, "local", "certified").equals("certified");
    }

    private String oneOf(QueryParameter parameter, String usual, String other) {
        String text = value(parameter).orElse(usual);
        if (!text.equals(usual) && !text.equals(other)) {
            throw new ProblemException(Problem.badRequest(parameter.described() + " is '" + text + "'."));
        }
        return text;
    }
}
