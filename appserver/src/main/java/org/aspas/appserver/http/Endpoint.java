package org.aspas.appserver.http;

import static org.aspas.appserver.http.QueryParameter.CERTIFICATE;
import static org.aspas.appserver.http.QueryParameter.CONFIRM;
import static org.aspas.appserver.http.QueryParameter.ELEMENT;
import static org.aspas.appserver.http.QueryParameter.FIELDS;
import static org.aspas.appserver.http.QueryParameter.INTEGERS;
import static org.aspas.appserver.http.QueryParameter.KEY;
import static org.aspas.appserver.http.QueryParameter.LEVEL;
import static org.aspas.appserver.http.QueryParameter.PAGE;
import static org.aspas.appserver.http.QueryParameter.PREFIX;
import static org.aspas.appserver.http.QueryParameter.PROOF;
import static org.aspas.appserver.http.QueryParameter.VERBOSE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that the port answers over HTTP: the method, the path with its variables, and the parameters that a query may have. The
 * description {@code openapi.yaml} has the same, which a test compares.
 */
enum Endpoint {
    LIVEZ("GET", "/livez"),
    READYZ("GET", "/readyz", VERBOSE),
    METRICS("GET", "/metrics"),
    VERSION("GET", "/version"),
    STATUS("GET", "/v1/status"),
    BLACKLIST("GET", "/v1/blacklist"),
    EVIDENCE("GET", "/v1/evidence/{hash}"),
    NUMBERED_CERTIFICATE("GET", "/v1/certificates/{number}"),
    OPENAPI("GET", "/openapi.yaml"),
    DEPLOYMENT("GET", "/v1/deployment"),
    SESSION("GET", "/v1/session"),
    COUNTERS("GET", "/v1/counters", KEY, LEVEL, PROOF, INTEGERS, FIELDS),
    COUNTER("GET", "/v1/counters/{key}", LEVEL, PROOF, INTEGERS, FIELDS),
    INCREMENT("POST", "/v1/counters/{key}/increment", CONFIRM, INTEGERS, FIELDS),
    DECREMENT("POST", "/v1/counters/{key}/decrement", CONFIRM, INTEGERS, FIELDS),
    SETS("GET", "/v1/sets", KEY, LEVEL, PROOF, INTEGERS, FIELDS),
    SET("GET", "/v1/sets/{key}", LEVEL, PROOF, ELEMENT, PAGE, CERTIFICATE, INTEGERS, FIELDS),
    SET_SIZE("GET", "/v1/sets/{key}/size", LEVEL, PROOF, FIELDS),
    ADD("POST", "/v1/sets/{key}/add", CONFIRM, INTEGERS, FIELDS),
    REMOVE("POST", "/v1/sets/{key}/remove", CONFIRM, INTEGERS, FIELDS),
    CLEAR("POST", "/v1/sets/{key}/clear", CONFIRM, INTEGERS, FIELDS),
    OBJECTS("GET", "/v1/objects", PREFIX, PAGE, CERTIFICATE, INTEGERS),
    WATCH("GET", "/v1/watch", KEY, INTEGERS);

    private static final String OBJECT_PATHS = "/v1/(counters|sets|objects|watch)(/.*)?";

    private final String method;
    private final String template;
    private final List<String> segments;
    private final Set<QueryParameter> parameters;
    private final boolean ofObjects;

    Endpoint(String method, String template, QueryParameter... parameters) {
        this.method = method;
        this.template = template;
        this.segments = List.of(template.substring(1).split("/"));
        this.parameters =
                parameters.length == 0 ? EnumSet.noneOf(QueryParameter.class) : EnumSet.copyOf(List.of(parameters));
        this.ofObjects = template.matches(OBJECT_PATHS);
    }

    /** The endpoints at a path, whatever their methods. */
    static List<Endpoint> at(List<String> path) {
        return Arrays.stream(values())
                .filter(one -> one.variables(path).isPresent())
                .toList();
    }

    /** The methods that a path with these endpoints takes, as the header {@code Allow} lists them. */
    static String allowed(List<Endpoint> there) {
        Set<String> methods = new TreeSet<>(Set.of("OPTIONS"));
        for (Endpoint one : there) {
            methods.add(one.method);
            if (one.takes("HEAD")) {
                methods.add("HEAD");
            }
        }
        return String.join(", ", methods);
    }

    String method() {
        return method;
    }

    /** The path, with its variables in braces. */
    String template() {
        return template;
    }

    Set<QueryParameter> parameters() {
        return parameters;
    }

    /** Whether it shows or changes objects; the others tell of the server. */
    boolean ofObjects() {
        return ofObjects;
    }

    /** Whether a request with this method is for it. HEAD stands for GET where the answer ends. */
    boolean takes(String requested) {
        return requested.equals(method)
                || (requested.equals("HEAD") && method.equals("GET") && this != SESSION && this != WATCH);
    }

    /** What a path has in the place of the variables; empty when it is another path. */
    private Optional<List<String>> variables(List<String> path) {
        if (path.size() != segments.size()) {
            return Optional.empty();
        }
        List<String> found = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            if (segments.get(i).startsWith("{") && !path.get(i).isEmpty()) {
                found.add(path.get(i));
            } else if (!segments.get(i).equals(path.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }

    /** What such a path has in the place of the variables. */
    List<String> variablesOf(List<String> path) {
        return variables(path).orElseThrow();
    }
}
