package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.LongStream;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.LagFields;
import org.aspas.emulab.sim.world.Site;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.attack.AttackController;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the states of the nodes and the durations of certification. {@link #publish} and {@link #lag} are for one thread; the other
 * methods are thread-safe.
 */
final class NodeFeed {
    private static final Duration LAG_WINDOW = Duration.ofSeconds(10);

    private final ConsoleState state;
    private final Cluster cluster;
    private final AttackController stage;
    private final WorldMap world;
    private final Map<Integer, CoreStatus> newest = new ConcurrentHashMap<>();
    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();
    private final Set<Integer> excluded = ConcurrentHashMap.newKeySet();
    private final Set<NodeId> starting = new ConcurrentSkipListSet<>();

    NodeFeed(ConsoleState state, Cluster cluster, AttackController stage, WorldMap world) {
        this.state = state;
        this.cluster = cluster;
        this.stage = stage;
        this.world = world;
    }

    void excluded(int server) {
        excluded.add(server);
    }

    /** Notes whether a node is being stopped or started. */
    void starting(NodeId node, boolean now) {
        if (now) {
            starting.add(node);
        } else {
            starting.remove(node);
        }
    }

    /** Returns whether a node is being stopped or started. */
    boolean isStarting(NodeId node) {
        return starting.contains(node);
    }

    /** Publishes the nodes; {@code clients} is the number of clients at each appserver. */
    void publish(int[] clients) {
        ObjectNode event = state.timed();
        ArrayNode all = event.putArray("nodes");
        for (int server = 0; server < cluster.appservers(); server++) {
            ask(server);
            appserver(all.addObject(), server, clients[server]);
        }
        for (int replica = 0; replica < cluster.bftservers(); replica++) {
            bftserver(all.addObject(), replica);
        }
        state.publish("nodes", event);
    }

    /** Asks a server for its status, unless an earlier question is still open: a frozen server does not answer. */
    private void ask(int server) {
        cluster.appserver(server).ifPresent(running -> {
            if (asked.add(server)) {
                running.status().whenComplete((status, failure) -> {
                    asked.remove(server);
                    if (status != null) {
                        newest.put(server, status);
                    }
                });
            }
        });
    }

    private ObjectNode node(ObjectNode fields, NodeId id, String how, @Nullable String role) {
        return fields.put("name", id.toString())
                .put("site", world.siteOf(id).map(Site::name).orElse(id.toString()))
                .put("state", how)
                .put("role", role);
    }

    private void appserver(ObjectNode fields, int server, int clients) {
        node(fields, NodeId.appserver(server), state(server), stage.role(server).orElse(null))
                .put("clients", clients);
        CoreStatus status = newest.get(server);
        if (status == null) {
            fields.putNull("delivered").putNull("certified").putNull("certificate");
            fields.putNull("version");
            return;
        }
        fields.put("delivered", LongStream.of(status.version().toArray()).sum())
                .put("certified", LongStream.of(status.certified().toArray()).sum())
                .put("certificate", status.certificate().value());
        ArrayNode version = fields.putArray("version");
        LongStream.of(status.version().toArray()).forEach(version::add);
    }

    private String state(int server) {
        if (starting.contains(NodeId.appserver(server))) {
            return "starting";
        } else if (cluster.appserver(server).isEmpty()) {
            return "stopped";
        } else if (stage.isFrozen(server)) {
            return "frozen";
        } else if (excluded.contains(server)) {
            return "excluded";
        }
        return stage.role(server).isPresent() ? "corrupt" : "running";
    }

    private void bftserver(ObjectNode fields, int replica) {
        NodeId id = NodeId.bftserver(replica);
        BftServer running = cluster.bftserver(replica).orElse(null);
        boolean ready = running != null && running.isReady() && !starting.contains(id);
        String how = ready ? "running" : running == null && !starting.contains(id) ? "stopped" : "starting";
        node(fields, id, how, null).putNull("clients").putNull("delivered").putNull("certified");
        if (running == null) {
            fields.putNull("certificate");
        } else {
            fields.put("certificate", running.certificate().value());
        }
        fields.putNull("version");
    }

    void lag() {
        ObjectNode event = state.timed().put("windowMillis", LAG_WINDOW.toMillis());
        LagFields.put(event, cluster.lagSteps(LAG_WINDOW));
        state.publish("lag", event);
    }
}
