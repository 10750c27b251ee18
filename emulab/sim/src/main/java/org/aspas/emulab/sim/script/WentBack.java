package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.AppServerNode;
import org.jspecify.annotations.Nullable;

/**
 * An appserver that forgot comes back while clients are on their way to it which have seen newer certificates from it, and what it
 * knows ends before these. When its disk is an older one it may sign that, and be convicted: it counts among the f.
 */
final class WentBack extends Schedule {
    private static final long LOOK = Timeline.MILLI / 2;

    private final boolean mayBeConvicted;
    private final boolean writtenIsEnough;
    private @Nullable AppServerNode server;
    private long before;
    private long after = Long.MAX_VALUE;

    /**
     * A schedule.
     *
     * @param mayBeConvicted whether it does not know that it forgot
     * @param writtenIsEnough whether servers answer updates before the disk has them
     */
    WentBack(String name, boolean mayBeConvicted, boolean writtenIsEnough) {
        super(name);
        this.mayBeConvicted = mayBeConvicted;
        this.writtenIsEnough = writtenIsEnough;
    }

    @Override
    boolean mayBeConvicted() {
        return mayBeConvicted;
    }

    @Override
    boolean writtenIsEnough() {
        return writtenIsEnough;
    }

    @Override
    void begin(SimulatedSystem system) {
        Fault forgets = system.settings.script().get(0);
        AppServerNode chosen = system.servers.get(forgets.node().index());
        server = chosen;
        for (long moment = forgets.begins() - 1; moment < forgets.ends(); moment += LOOK) {
            system.timeline.at(moment, () -> before = Math.max(before, size(chosen, 0)));
        }
        system.timeline.at(forgets.ends() + 1, () -> after = size(chosen, Long.MAX_VALUE));
    }

    private static long size(AppServerNode node, long without) {
        return node.core()
                .map(AppServerCore::version)
                .map(version -> version.get(node.id().index()))
                .orElse(without);
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (after >= before) {
            missing.add("the server had " + before + " own entries, and " + after + " when it was back");
        }
        AppServerNode chosen = server;
        boolean knows = chosen != null
                && chosen.core()
                        .filter(core -> core.status().state() == ServerState.AMNESIAC)
                        .isPresent();
        if (!knows && !mayBeConvicted) {
            missing.add("the server does not know that it forgot");
        }
        return missing;
    }
}
