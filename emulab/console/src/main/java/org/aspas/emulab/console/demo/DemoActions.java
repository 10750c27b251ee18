package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.node.StartException;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.console.feed.ActionFields;
import org.aspas.emulab.console.feed.ActionRefused;
import org.aspas.emulab.console.feed.ActionRefused.Why;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.sim.world.Group;
import org.aspas.emulab.testbed.attack.AttackController;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.ToleranceClass;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs a page's actions on a cluster in this process. Slow actions run one after the other. Thread-safe. */
final class DemoActions implements AutoCloseable {
    /** The names of all actions, in the order in which a page shows them. */
    static final List<String> NAMES = List.of("tau", "corrupt", "stop", "start", "freeze", "thaw", "partition", "heal");

    private static final Logger LOG = LoggerFactory.getLogger(DemoActions.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long RETRY_MILLIS = 500;
    private static final long MOST_TAU = 1_000_000;
    private static final long CLOSE_SECONDS = 30;

    private final ConsoleState state;
    private final Cluster cluster;
    private final AttackController stage;
    private final EmulatedNetwork network;
    private final List<ClientClass> classes;
    private final NodeFeed nodes;
    private final StoryFeed story;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "console-actions");
        made.setDaemon(true);
        return made;
    });

    DemoActions(
            ConsoleState state,
            Cluster cluster,
            AttackController stage,
            EmulatedNetwork network,
            List<ClientClass> classes,
            NodeFeed nodes,
            StoryFeed story) {
        this.state = state;
        this.cluster = cluster;
        this.stage = stage;
        this.network = network;
        this.classes = classes;
        this.nodes = nodes;
        this.story = story;
    }

    private Quorums quorums() {
        return cluster.descriptor().quorums();
    }

    /** Performs or starts an action, and returns a sentence about it. */
    synchronized String act(String name, ObjectNode body) throws ActionRefused {
        return switch (name) {
            case "tau" -> tau(new ActionFields(body, "class", "tau"));
            case "corrupt" -> corrupt(new ActionFields(body, "server", "role"));
            case "stop" -> stop(new ActionFields(body, "node").node("node", quorums()));
            case "start" -> start(new ActionFields(body, "node").node("node", quorums()));
            case "freeze" -> freeze(new ActionFields(body, "node").node("node", quorums()));
            case "thaw" -> thaw(new ActionFields(body, "node").node("node", quorums()));
            case "partition" -> partition(new ActionFields(body, "groups"));
            case "heal" -> heal(new ActionFields(body));
            default -> throw new ActionRefused(Why.NOT_AVAILABLE, "There is no action " + name + " here.");
        };
    }

    private String told(String node, String text) {
        story.tell("action", node, text);
        return text;
    }

    // ---- Clients ----

    private String tau(ActionFields fields) throws ActionRefused {
        String id = fields.text("class");
        ClientClass one = classes.stream()
                .filter(known -> known.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new ActionRefused(Why.NOT_FOUND, "There is no class " + id + " of clients."));
        long tau = fields.number("tau", 1, MOST_TAU).orElse(0L);
        ToleranceClass chosen = new ToleranceClass(tau);
        one.tolerance(chosen);
        return told("", chosen.label() + " for the " + one.size() + " " + one.label() + " clients");
    }

    // ---- Nodes ----

    /** Refuses the action unless the node is running and neither frozen nor being stopped or started. */
    private void requireRunning(NodeId node) throws ActionRefused {
        requireRest(node);
        if (!runs(node)) {
            throw new ActionRefused(Why.CONFLICT, node + " is not running.");
        }
        if (node.role() == Role.APPSERVER && stage.isFrozen(node.index())) {
            throw new ActionRefused(Why.CONFLICT, node + " is frozen: thaw it first.");
        }
    }

    private void requireRest(NodeId node) throws ActionRefused {
        if (nodes.isStarting(node)) {
            throw new ActionRefused(Why.CONFLICT, node + " is being stopped or started.");
        }
    }

    private boolean runs(NodeId node) {
        return node.role() == Role.APPSERVER
                ? cluster.appserver(node.index()).isPresent()
                : cluster.bftserver(node.index()).isPresent();
    }

    private static NodeId appserver(NodeId node) throws ActionRefused {
        if (node.role() != Role.APPSERVER) {
            throw new ActionRefused(Why.CONFLICT, node + " is not an appserver; a demo does this to appservers only.");
        }
        return node;
    }

    private String corrupt(ActionFields fields) throws ActionRefused {
        NodeId node = appserver(fields.node("server", quorums()));
        String role = fields.text("role");
        if (!LiveDemo.roles().contains(role)) {
            throw new ActionRefused(Why.BAD_FIELD, "There is no role " + role + " for a running server.");
        }
        requireRunning(node);
        if (stage.role(node.index()).isPresent()) {
            throw new ActionRefused(Why.CONFLICT, node + " is already corrupt.");
        }
        int most = quorums().f();
        if (stage.corrupt().size() >= most) {
            throw new ActionRefused(
                    Why.CONFLICT,
                    "This deployment tolerates f = " + most + ": "
                            + stage.corrupt().size() + " corrupt already.");
        }
        begin(node, () -> stage.corrupt(cluster, node.index(), role, PATIENCE));
        return told(node.toString(), "an attacker takes over " + node + " with its key and its store: " + role);
    }

    private String stop(NodeId node) throws ActionRefused {
        requireRunning(node);
        begin(node, () -> {
            if (node.role() == Role.APPSERVER) {
                cluster.stopAppserver(node.index());
            } else {
                cluster.stopBftserver(node.index());
            }
        });
        return told(node.toString(), node + " is stopped");
    }

    private String start(NodeId node) throws ActionRefused {
        requireRest(node);
        if (runs(node)) {
            throw new ActionRefused(Why.CONFLICT, node + " is already running.");
        }
        begin(node, () -> {
            if (node.role() == Role.APPSERVER) {
                cluster.startAppserver(node.index());
                cluster.awaitReady(node.index(), PATIENCE);
            } else {
                startBftserver(node.index());
            }
        });
        return told(node.toString(), node + " restarts from its store");
    }

    /** Starts a bftserver, and retries for a while because the ordering library may hold its ports for seconds after a stop. */
    private void startBftserver(int replica)
            throws PortUnavailableException, RecordUnusableException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                cluster.startBftserver(replica);
                return;
            } catch (PortUnavailableException notYet) {
                if (System.nanoTime() - deadline > 0) {
                    throw notYet;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
    }

    private interface Deed {
        void happen()
                throws StartException, PortUnavailableException, RecordUnusableException, TimeoutException,
                        InterruptedException;
    }

    private void begin(NodeId node, Deed deed) {
        nodes.starting(node, true);
        worker.execute(() -> {
            try {
                deed.happen();
            } catch (StartException | PortUnavailableException | RecordUnusableException | TimeoutException failed) {
                story.tell("problem", node.toString(), node + ": " + failed.getMessage());
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException bug) {
                LOG.error("an action on {} failed", node, bug);
                story.tell("problem", node.toString(), node + ": " + bug.getMessage());
            } finally {
                nodes.starting(node, false);
            }
        });
    }

    private String freeze(NodeId node) throws ActionRefused {
        requireRunning(appserver(node));
        stage.freeze(node.index());
        return told(node.toString(), node + " is frozen; its sockets stay open");
    }

    private String thaw(NodeId node) throws ActionRefused {
        if (!stage.isFrozen(appserver(node).index())) {
            throw new ActionRefused(Why.CONFLICT, node + " is not frozen.");
        }
        stage.thaw(node.index());
        return told(node.toString(), node + " continues");
    }

    // ---- The network ----

    private String partition(ActionFields fields) throws ActionRefused {
        JsonNode given = fields.any("groups");
        List<Group> groups = new ArrayList<>();
        Set<String> named = new TreeSet<>();
        for (JsonNode group : given) {
            Set<String> sites = new TreeSet<>();
            for (JsonNode site : group) {
                if (!network.world().sites().containsKey(site.asText())) {
                    throw new ActionRefused(Why.NOT_FOUND, "There is no site " + site.asText() + ".");
                }
                if (!named.add(site.asText())) {
                    throw new ActionRefused(Why.BAD_FIELD, "The site " + site.asText() + " is named twice.");
                }
                sites.add(site.asText());
            }
            groups.add(new Group(sites, Set.of()));
        }
        if (groups.size() < 2 || groups.stream().anyMatch(group -> group.sites().isEmpty())) {
            throw new ActionRefused(Why.BAD_FIELD, "The field groups is not a list of two or more lists of sites.");
        }
        network.partition(groups);
        ObjectNode event = state.timed();
        ArrayNode all = event.putArray("groups");
        List<String> texts = new ArrayList<>();
        for (Group group : groups) {
            Set<String> sites = new TreeSet<>(group.sites());
            sites.forEach(all.addArray()::add);
            texts.add(String.join(", ", sites));
        }
        state.publish("partition", event);
        return told("", "the network is cut between " + String.join(" and ", texts));
    }

    private String heal(@SuppressWarnings("unused") ActionFields none) {
        network.heal();
        state.publish("partition", state.timed().putNull("groups"));
        return told("", "the partition is healed");
    }

    /** Accepts no more actions and waits for those that are running. */
    @Override
    public void close() {
        stage.thawAll();
        worker.shutdownNow();
        try {
            if (!worker.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("an action of a console is slow to end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
