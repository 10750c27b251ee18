package org.aspas.emulab.sim.node;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Failure;
import org.aspas.emulab.sim.invariant.ClientUpdate;

/**
 * The updates of one client that have not come to an end, by ticket and by number, through all its lives: a client that
 * goes on from its record knows them by their numbers only.
 */
final class Calls {
    private static final class Open {
        final ClientUpdate update;
        final long since;
        long number;

        Open(ClientUpdate update, long since) {
            this.update = update;
            this.since = since;
        }
    }

    private final World world;
    private final Figures figures;
    private final TreeMap<Long, Open> byTicket = new TreeMap<>();
    private final Map<Long, Open> byNumber = new HashMap<>();

    Calls(World world, Figures figures) {
        this.world = world;
        this.figures = figures;
    }

    void submitted(ClientUpdate update) {
        figures.submitted();
        byTicket.put(update.ticket(), new Open(update, world.timeline().now()));
        world.monitor().tell(invariant -> invariant.onSubmitted(update));
    }

    void entered(Effect.Entered entered) {
        Open open = byTicket.get(entered.ticket());
        if (open != null) {
            open.number = entered.number();
            byNumber.put(entered.number(), open);
            world.monitor().tell(invariant -> invariant.onEntered(open.update, entered.number()));
        }
    }

    void answered(Effect.Answered answered) {
        Open open = byNumber.get(answered.number());
        if (open != null) {
            figures.answered(world.timeline().now() - open.since);
            world.monitor().tell(invariant -> invariant.onAnswered(open.update, answered));
        }
    }

    void confirmed(Effect.Confirmed confirmed) {
        Open open = byNumber.remove(confirmed.number());
        if (open != null) {
            byTicket.remove(open.update.ticket());
            figures.confirmed(world.timeline().now() - open.since);
            world.monitor().tell(invariant -> invariant.onConfirmed(open.update, confirmed));
        }
    }

    void mayTakeEffect(Effect.MayTakeEffect doubtful) {
        Open open = byNumber.get(doubtful.number());
        if (open != null) {
            world.monitor().tell(invariant -> invariant.onMayTakeEffect(open.update, doubtful.why()));
        }
    }

    /** A call failed: the update with this ticket if it is one. */
    void failed(long ticket, Failure failure) {
        Open open = byTicket.remove(ticket);
        if (open != null) {
            byNumber.remove(open.number, open);
            world.monitor().tell(invariant -> invariant.onReported(open.update, failure));
        }
    }

    /** The client is gone with all that it had in memory: what was never signed was never made. */
    void crashed() {
        byTicket.values().removeIf(open -> {
            boolean forgotten = open.number == 0;
            if (forgotten) {
                figures.forgotten();
                world.monitor().tell(invariant -> invariant.onForgotten(open.update));
            }
            return forgotten;
        });
    }
}
