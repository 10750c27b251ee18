package org.aspas.emulab.sim.node;

import java.util.List;
import org.aspas.client.core.port.CallId;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;

/** The application of a correct client: it makes calls, and sets τ anew now and then. */
public final class Application {
    /** The values of τ between which applications choose. */
    public static final List<Long> TOLERANCES = List.of(1L, 4L, 16L, 0L);
    /** How often an application sets τ anew before it calls. */
    private static final double CHANGES_OF_TOLERANCE = 0.03;

    private final Timeline timeline;
    private final Chance pauses;
    private final Chance whims;
    private final Workload workload;
    private final long tolerance;
    private final List<Long> tolerances;

    /**
     * An application that does nothing yet.
     *
     * @param world what all parties share
     * @param client the index of its client
     * @param workload its calls
     * @param tolerance the τ that it sets first: from 1, or 0 for no bound
     * @param tolerances what it sets later, one of these now and then; with one of them it stays with the first
     */
    public Application(World world, int client, Workload workload, long tolerance, List<Long> tolerances) {
        this.timeline = world.timeline();
        this.pauses = world.chance().stream("client-" + client);
        this.whims = world.chance().stream("tolerance " + client);
        this.workload = workload;
        this.tolerance = tolerance;
        this.tolerances = List.copyOf(tolerances);
    }

    /** The τ that it sets first. */
    long tolerance() {
        return tolerance;
    }

    /** Works at a client until a moment, once in this time on average. */
    void work(ClientNode client, long until, long meanPause) {
        timeline.after(pauses.waiting(meanPause), () -> {
            if (timeline.now() >= until) {
                return;
            }
            if (client.working()) {
                act(client);
            }
            work(client, until, meanPause);
        });
    }

    private void act(ClientNode client) {
        if (tolerances.size() > 1 && whims.happens(CHANGES_OF_TOLERANCE)) {
            client.tolerance(whims.pick(tolerances));
        }
        if (!client.up()) {
            return; // The disk did not take what followed from it.
        }
        CallId call = client.newCall();
        if (workload.reads()) {
            client.read(workload.read(call));
        } else {
            client.submit(workload.update(call));
        }
    }
}
