package org.aspas.emulab.sim.script;

import java.util.List;
import java.util.OptionalLong;
import org.aspas.client.core.ClientEvent;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.Invariant;
import org.aspas.emulab.sim.node.ClientNode;

/**
 * An exact order of events in one run: it may keep back single frames, let parties crash at a chosen moment, and give clients updates. It
 * watches whether the situation that it is for comes about; a run in which it does not is a failed one, as it has shown nothing.
 */
abstract class Schedule extends Invariant {
    Schedule(String name) {
        super("schedule " + name);
        on(Fact.Ended.class, fact -> {
            List<String> missing = missing();
            if (!missing.isEmpty()) {
                violated("the situation did not come about: " + String.join("; ", missing));
            }
        });
    }

    /** All parties are made and run. */
    abstract void begin(SimulatedSystem system);

    /** What has not come about of the situation, one sentence each. */
    abstract List<String> missing();

    /** The τ of all clients, if the schedule chooses it; 0 for unbounded. */
    OptionalLong tolerance() {
        return OptionalLong.empty();
    }

    /** Whether every client inspects every answer, leaves and complains. */
    boolean watchful() {
        return false;
    }

    /** Whether all correct clients have one key. */
    boolean oneKey() {
        return false;
    }

    /** Whether an appserver that went back to an older disk may be convicted: nothing tells it in time what it forgot. */
    boolean mayBeConvicted() {
        return false;
    }

    /** Whether appservers answer updates when the operating system has them, before their disks do. */
    boolean writtenIsEnough() {
        return false;
    }

    /** Whether the servers have time to spare, so that heads and reports follow each other soon; else they lack it. */
    boolean idle() {
        return false;
    }

    /** How far a client's clock is ahead that starts now, in microseconds. */
    long clockAhead() {
        return 0;
    }

    /** A correct client tells its application what becomes of its updates and its servers. */
    void told(ClientNode client, ClientEvent event) {}

    /** No schedule: chance alone directs the run. */
    static final class None extends Schedule {
        None() {
            super("none");
        }

        @Override
        void begin(SimulatedSystem system) {
            // Chance alone.
        }

        @Override
        List<String> missing() {
            return List.of();
        }
    }
}
