package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.aspas.appserver.http.JsonApi.AnswerFields;
import org.aspas.appserver.http.Router.ApiDescription;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The description of the HTTP API has what the port answers, and nothing else. */
class ApiDescriptionTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch", "head", "options");

    private final Map<String, Object> description =
            map(new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build())
                    .loadFromInputStream(new ByteArrayInputStream(ApiDescription.bytes())));

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }

    private static List<?> list(Object node) {
        return node == null ? List.of() : (List<?>) node;
    }

    private Map<String, Object> resolved(Object node) {
        Map<String, Object> found = map(node);
        Object reference = found.get("$ref");
        return reference == null ? found : map(at(reference.toString()));
    }

    /** What a reference within the description points to. */
    private Object at(String reference) {
        assertThat(reference).startsWith("#/");
        Object node = description;
        for (String step : reference.substring(2).split("/")) {
            node = Objects.requireNonNull(map(node).get(step), reference);
        }
        return node;
    }

    private Map<String, Object> paths() {
        return map(description.get("paths"));
    }

    /** The operations by method and path. */
    private Map<String, Map<String, Object>> operations() {
        Map<String, Map<String, Object>> operations = new LinkedHashMap<>();
        paths().forEach((path, item) -> map(item).forEach((method, operation) -> {
            if (METHODS.contains(method)) {
                operations.put(method.toUpperCase(java.util.Locale.ROOT) + " " + path, map(operation));
            }
        }));
        return operations;
    }

    private Set<String> parameters(String path, Map<String, Object> operation, String in) {
        List<Object> all = new ArrayList<>(list(map(paths().get(path)).get("parameters")));
        all.addAll(list(operation.get("parameters")));
        return all.stream()
                .map(this::resolved)
                .filter(one -> one.get("in").equals(in))
                .map(one -> one.get("name").toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyEndpointIsDescribedAndNoOther() {
        assertThat(operations().keySet())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Endpoint.values())
                        .map(one -> one.method() + " " + one.template())
                        .toList());
    }

    @Test
    void everyParameterIsDescribedAndNoOther() {
        for (Endpoint endpoint : Endpoint.values()) {
            Map<String, Object> operation = operations().get(endpoint.method() + " " + endpoint.template());
            assertThat(parameters(endpoint.template(), operation, "query"))
                    .as(endpoint.template())
                    .isEqualTo(endpoint.parameters().stream()
                            .map(QueryParameter::label)
                            .collect(Collectors.toCollection(TreeSet::new)));
            Set<String> variables = Arrays.stream(endpoint.template().split("/"))
                    .filter(segment -> segment.startsWith("{"))
                    .map(segment -> segment.substring(1, segment.length() - 1))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(parameters(endpoint.template(), operation, "path"))
                    .as(endpoint.template())
                    .isEqualTo(variables);
        }
    }

    /** Of an answer about an object, or about each of several. */
    private void collectFields(Object schema, Set<String> fields) {
        Map<String, Object> found = resolved(schema);
        list(found.get("allOf")).forEach(part -> collectFields(part, fields));
        if (found.get("properties") != null) {
            fields.addAll(map(found.get("properties")).keySet());
        }
        if (fields.remove("objects")) {
            Map<String, Object> item =
                    map(map(map(found.get("properties")).get("objects")).get("items"));
            collectFields(list(item.get("anyOf")).get(0), fields);
        }
    }

    @Test
    void everyFieldThatAQueryMayWantIsDescribedAndNoOther() {
        for (Endpoint endpoint : Endpoint.values()) {
            boolean choosing = endpoint.parameters().contains(QueryParameter.FIELDS);
            assertThat(AnswerFields.known(endpoint).isEmpty())
                    .as(endpoint.template())
                    .isEqualTo(!choosing);
            if (choosing) {
                Map<String, Object> operation = operations().get(endpoint.method() + " " + endpoint.template());
                Map<String, Object> answer =
                        resolved(map(operation.get("responses")).get("200"));
                Map<String, Object> content = map(map(answer.get("content")).get("application/json"));
                Set<String> described = new TreeSet<>();
                collectFields(content.get("schema"), described);
                assertThat(AnswerFields.known(endpoint))
                        .as(endpoint.template())
                        .containsExactlyInAnyOrderElementsOf(described);
            }
        }
    }

    @Test
    void everyOperationHasANameOfItsOwnAndSaysWhatComes() {
        Set<Object> names = new HashSet<>();
        operations().forEach((operation, described) -> {
            assertThat(names.add(described.get("operationId"))).as(operation).isTrue();
            assertThat(described.get("summary")).as(operation).isNotNull();
            assertThat(map(described.get("responses")).keySet()).as(operation).contains("default");
        });
    }

    /** A constant becomes code that does not compile in the clients of at least one generator; a list of one value does not. */
    @Test
    void constantsAreListsOfOneValue() {
        assertThat(new String(ApiDescription.bytes(), StandardCharsets.UTF_8)).doesNotContain("const:");
    }

    @Test
    void everyReferenceIsThereAndEveryComponentIsUsed() {
        Set<String> used = new TreeSet<>();
        collect(description, used);
        assertThat(used)
                .hasSizeGreaterThan(20)
                .allSatisfy(reference -> assertThat(at(reference)).isNotNull());
        Set<String> defined = new TreeSet<>();
        map(description.get("components"))
                .forEach((kind, all) ->
                        map(all).keySet().forEach(name -> defined.add("#/components/" + kind + "/" + name)));
        assertThat(used).isEqualTo(defined);
    }

    private static void collect(Object node, Set<String> references) {
        if (node instanceof Map<?, ?> all) {
            all.forEach((name, value) -> {
                if ("$ref".equals(name)) {
                    references.add(value.toString());
                } else {
                    collect(value, references);
                }
            });
        } else if (node instanceof List<?> all) {
            all.forEach(one -> collect(one, references));
        }
    }
}
