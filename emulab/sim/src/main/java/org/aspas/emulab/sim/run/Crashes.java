package org.aspas.emulab.sim.run;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.AppServerNode;

/** Ends and starts servers for several faults at once: a server that two faults keep away runs again when both have ended. */
final class Crashes {
    private static final long COLD = 400 * Timeline.MILLI;

    private final Stage stage;
    private final Map<NodeId, Integer> away = new HashMap<>();
    private final TreeSet<Integer> lateClients = new TreeSet<>();

    Crashes(Stage stage) {
        this.stage = stage;
    }

    void crash(NodeId id) {
        if (away.merge(id, 1, Integer::sum) > 1) {
            return;
        }
        if (id.role() == Role.BFTSERVER) {
            stage.replicas.get(id.index()).crash();
        } else if (stage.servers.get(id.index()).up()) {
            stage.servers.get(id.index()).crash();
        }
    }

    void restart(NodeId id) {
        if (away.getOrDefault(id, 0) == 0 || away.merge(id, -1, Integer::sum) > 0) {
            return;
        }
        if (id.role() == Role.BFTSERVER) {
            stage.replicas.get(id.index()).restart();
        } else {
            start(stage.servers.get(id.index()));
        }
    }

    /** Starts an appserver, unless it runs, or something keeps it away. */
    void start(AppServerNode server) {
        if (!server.up() && !isAway(server.id())) {
            server.start();
        }
    }

    boolean isAway(NodeId id) {
        return away.getOrDefault(id, 0) > 0;
    }

    void clientJoinsLate(int client) {
        lateClients.add(client);
    }

    boolean joinsLate(int client) {
        return lateClients.contains(client);
    }

    /** All bftservers crash at once, and start again with nothing but their records. */
    void coldStart() {
        stage.replicas.forEach(replica -> crash(replica.id()));
        stage.sequencer.beginAnew();
        stage.timeline.after(COLD, () -> stage.replicas.forEach(replica -> restart(replica.id())));
    }

    /** Whether one bftserver more may be without its complete record: it counts among the b until the others have taught it. */
    boolean mayForget() {
        long without = stage.replicas.stream()
                .filter(replica ->
                        !stage.cast.lyingReplicas().contains(replica.id().index()))
                .filter(replica -> !replica.record().knowing())
                .count();
        return stage.cast.lyingReplicas().size() + without < stage.quorums.b();
    }

    /** Whether one bftserver more may join late: it has no record, and the others have to teach it. */
    boolean mayJoinLate() {
        long late =
                stage.replicas.stream().filter(replica -> isAway(replica.id())).count();
        return stage.cast.lyingReplicas().size() + late < stage.quorums.b();
    }
}
