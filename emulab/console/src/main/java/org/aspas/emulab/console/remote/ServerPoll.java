package org.aspas.emulab.console.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.LagFields;
import org.aspas.emulab.testbed.cluster.ServerHttp;
import org.jspecify.annotations.Nullable;

/** Asks every appserver for its status, and publishes the answers. For one thread. */
final class ServerPoll {
    /** How long a whole answer may take. */
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final WatchOptions options;
    private final ConsoleState state;
    private final HttpClient http;
    private final List<NodeDescription> servers;
    private final long[] entriesBefore;
    private final Set<Integer> excluded = ConcurrentHashMap.newKeySet();
    private long before = System.nanoTime();

    /**
     * The processes of nodes on this machine.
     *
     * @param frozen those that are frozen, each of them running too
     */
    record Processes(Set<NodeId> running, Set<NodeId> frozen) {}

    ServerPoll(WatchOptions options, ConsoleState state, HttpClient http) {
        this.options = options;
        this.state = state;
        this.http = http;
        this.servers = options.descriptor().nodes(Role.APPSERVER);
        this.entriesBefore = new long[servers.size()];
    }

    /** Notes that a certificate excludes an appserver, and returns whether that is new. Thread-safe. */
    boolean excluded(int server) {
        return excluded.add(server);
    }

    /**
     * Asks all servers and publishes their answers.
     *
     * @param seen the nodes' processes; null if they are unknown
     */
    void publish(@Nullable Processes seen) {
        List<CompletableFuture<JsonNode>> asked = servers.stream()
                .map(server -> ServerHttp.json(http, server.http().resolve("/v1/status"), TIMEOUT))
                .toList();
        List<JsonNode> told = new ArrayList<>();
        for (int server = 0; server < servers.size(); server++) {
            JsonNode status = asked.get(server).join();
            boolean ours = status.path("deployment")
                            .asText()
                            .equals(options.descriptor().id().toString())
                    && status.path("server").asInt(-1) == server;
            told.add(ours ? status : MissingNode.getInstance());
        }
        nodes(told, seen);
        operations(told);
        classes(told);
        lag(told);
    }

    private void nodes(List<JsonNode> told, @Nullable Processes seen) {
        ObjectNode event = state.timed();
        ArrayNode all = event.putArray("nodes");
        for (NodeDescription node : options.descriptor().nodes()) {
            boolean appserver = node.id().role() == Role.APPSERVER;
            JsonNode status = appserver ? told.get(node.id().index()) : MissingNode.getInstance();
            boolean answers = status.isObject();
            ObjectNode fields = all.addObject()
                    .put("name", node.id().toString())
                    .put("site", WatchFrame.site(options, node.id()))
                    .put("state", how(node.id(), answers, seen))
                    .putNull("role");
            if (answers) {
                fields.put("clients", status.path("gauges").path("sessions").asLong())
                        .put("delivered", sum(status.path("version")))
                        .put("certified", sum(status.path("certified")))
                        .put("certificate", status.path("certificate").asLong())
                        .set("version", status.path("version"));
            } else {
                fields.putNull("clients").putNull("delivered").putNull("certified");
                fields.putNull("certificate").putNull("version");
            }
        }
        state.publish("nodes", event);
    }

    private String how(NodeId node, boolean answers, @Nullable Processes seen) {
        boolean appserver = node.role() == Role.APPSERVER;
        if (seen != null && seen.frozen().contains(node)) {
            return "frozen";
        } else if (!answers && seen != null && !seen.running().contains(node)) {
            return "stopped";
        } else if (appserver && excluded.contains(node.index())) {
            return "excluded";
        }
        return answers || !appserver && seen != null ? "running" : "unreachable";
    }

    private static long sum(JsonNode numbers) {
        long sum = 0;
        for (JsonNode number : numbers) {
            sum += number.asLong();
        }
        return sum;
    }

    private void operations(List<JsonNode> told) {
        long now = System.nanoTime();
        ObjectNode event = state.timed().put("millis", TimeUnit.NANOSECONDS.toMillis(now - before));
        before = now;
        ArrayNode all = event.putArray("servers");
        for (int server = 0; server < told.size(); server++) {
            long entries = told.get(server).path("version").path(server).asLong();
            long grown = entriesBefore[server] == 0 ? 0 : Math.max(0, entries - entriesBefore[server]);
            entriesBefore[server] = entries == 0 ? entriesBefore[server] : entries;
            all.addObject()
                    .put("server", NodeId.appserver(server).toString())
                    .put("updates", grown)
                    .putNull("reads")
                    .putNull("confirmed")
                    .putNull("failed");
        }
        event.putArray("samples");
        state.publish("operations", event);
    }

    /** Publishes the clients by their τ, as servers report them, and the most unconfirmed updates of any one client. */
    private void classes(List<JsonNode> told) {
        long strict = gauge(told, "sessions_tau_1");
        long bounded = gauge(told, "sessions_tau_bounded");
        long others = gauge(told, "sessions") - strict - bounded;
        ObjectNode event = state.timed();
        ArrayNode all = event.putArray("classes");
        row(all, "a", "tau 1", strict, 1L);
        row(all, "b", "tau bounded", bounded, null).remove("tau"); // The bound is unknown; null would mean unbounded.
        row(all, "c", "tau unbounded", others, null)
                .put(
                        "exposure",
                        told.stream()
                                .mapToLong(status -> status.path("gauges")
                                        .path("unconfirmed_most")
                                        .asLong())
                                .max()
                                .orElse(0));
        state.publish("classes", event);
    }

    private static long gauge(List<JsonNode> told, String name) {
        return told.stream()
                .mapToLong(status -> status.path("gauges").path(name).asLong())
                .sum();
    }

    private static ObjectNode row(ArrayNode all, String id, String label, long clients, @Nullable Long tau) {
        ObjectNode fields = all.addObject()
                .put("id", id)
                .put("label", label)
                .put("clients", clients)
                .put("tau", tau);
        return fields.putNull("waiting")
                .putNull("waited")
                .putNull("unconfirmed")
                .putNull("exposure")
                .putNull("updates")
                .putNull("answerMillis");
    }

    private void lag(List<JsonNode> told) {
        Map<LagStep, List<DurationFigures>> nodes = new EnumMap<>(LagStep.class);
        for (JsonNode status : told) {
            StepDurations.read(name -> status.path("gauges").path(name).asLong())
                    .forEach((step, figures) -> nodes.computeIfAbsent(step, fresh -> new ArrayList<>())
                            .add(figures));
        }
        Map<LagStep, DurationFigures> together = new EnumMap<>(LagStep.class);
        nodes.forEach((step, figures) -> together.put(step, DurationFigures.together(figures)));
        ObjectNode event = state.timed().put("windowMillis", TimeUnit.NANOSECONDS.toMillis(StepDurations.GAUGE_NANOS));
        LagFields.put(event, together);
        state.publish("lag", event);
    }
}
