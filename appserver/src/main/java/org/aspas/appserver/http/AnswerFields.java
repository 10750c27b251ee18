package org.aspas.appserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fields that a query wants in the answer about an object: {@code fields=value,certificate}.
 *
 * @param wanted their names; empty for all
 */
record AnswerFields(Set<String> wanted) {
    private static final List<String> READ =
            List.of("key", "type", "level", "value", "elements", "proof", "version", "roots", "certificate", "server");

    private static final List<String> SIZE =
            READ.stream().map(name -> name.equals("value") ? "size" : name).toList();

    private static final List<String> UPDATE = List.of(
            "key",
            "type",
            "value",
            "number",
            "dot",
            "leaf",
            "version",
            "roots",
            "certificate",
            "server",
            "confirmed",
            "confirmation",
            "detail");

    AnswerFields {
        wanted = Set.copyOf(wanted);
    }

    /** The fields that some answer of an endpoint has; none where a query cannot choose. */
    static List<String> known(Endpoint endpoint) {
        return switch (endpoint) {
            case COUNTERS, COUNTER, SETS, SET -> READ;
            case SET_SIZE -> SIZE;
            case INCREMENT, DECREMENT, ADD, REMOVE, CLEAR -> UPDATE;
            default -> List.of();
        };
    }

    /**
     * What a query wants; all where it does not say. To be asked for before anything is changed.
     *
     * @throws ProblemException when the list is empty, or has a name twice or one that no answer of the endpoint has
     */
    static AnswerFields of(RoutedRequest request) {
        Optional<String> list = request.value(QueryParameter.FIELDS);
        Set<String> wanted = new HashSet<>();
        if (list.isPresent()) {
            List<String> known = known(request.endpoint());
            for (String name : list.get().split(",", -1)) {
                if (!known.contains(name)) {
                    throw new ProblemException(Problem.badRequest(
                            "The answer has no field '" + name + "': it has " + String.join(", ", known) + "."));
                }
                if (!wanted.add(name)) {
                    throw new ProblemException(Problem.repeatedParameter("field '" + name + "'"));
                }
            }
        }
        return new AnswerFields(wanted);
    }

    /** Takes out of an answer what is not wanted. */
    ObjectNode only(ObjectNode answer) {
        return wanted.isEmpty() ? answer : answer.retain(wanted);
    }
}
