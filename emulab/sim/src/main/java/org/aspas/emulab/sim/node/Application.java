package org.aspas.emulab.sim.node;

import java.util.List;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Effect;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.jspecify.annotations.Nullable;

/** The application of a correct client: it makes calls, and sets τ anew now and then. */
public final class Application {
    /** The values of τ between which applications choose. */
    public static final List<Long> TOLERANCES = List.of(1L, 4L, 16L, 0L);
    /** How often an application sets τ anew before it calls. */
    private static final double CHANGES_OF_TOLERANCE = 0.03;

    /** Closed-loop applications begin one after the other within this time. */
    private static final long BEGINNINGS = 200 * Timeline.MILLI;

    private final Timeline timeline;
    private final SeededRandom pauses;
    private final SeededRandom whims;
    private final Workload workload;
    private final long tolerance;
    private final List<Long> tolerances;
    /** Until when a closed-loop application works: it calls anew as soon as its last call is answered. */
    private long closedUntil;

    private CallId current = CallId.NONE;

    /**
     * An application that does nothing yet.
     *
     * @param tolerance the τ that it sets first: from 1, or 0 for unbounded
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

    /** Works at a client until a moment, once in this time on average; with 0, a call follows the answer to the last. */
    void work(ClientNode client, long until, long meanPause) {
        if (meanPause == 0) {
            closedUntil = until;
            timeline.after(pauses.between(0, BEGINNINGS), () -> act(client));
            return;
        }
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
        current = call;
        if (workload.reads()) {
            client.read(workload.read(call));
        } else {
            client.submit(workload.update(call));
        }
    }

    void heard(ClientNode client, Effect effect) {
        if (closedUntil > 0 && current.equals(over(effect))) {
            current = CallId.NONE;
            timeline.after(0, () -> {
                if (timeline.now() < closedUntil && client.working()) {
                    act(client);
                }
            });
        }
    }

    /** The call that has come to an answer, an error or a doubt, if one has. */
    private static @Nullable CallId over(Effect effect) {
        if (effect instanceof Effect.Answered answered) {
            return answered.call();
        } else if (effect instanceof Effect.ReadDone read) {
            return read.call();
        } else if (effect instanceof Effect.MayTakeEffect doubtful) {
            return doubtful.call();
        }
        return effect instanceof Effect.Failed failed ? failed.call() : null;
    }
}
