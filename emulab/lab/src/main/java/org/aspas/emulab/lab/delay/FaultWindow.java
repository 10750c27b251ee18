package org.aspas.emulab.lab.delay;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.aspas.emulab.sim.world.Group;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;

/**
 * What happens to one way for a while. Times are nanoseconds since the timeline began.
 *
 * @param ends when it ends; {@link Long#MAX_VALUE} for never
 */
record FaultWindow(long begins, long ends, boolean cut, long slowerNanos) {
    /** All that happens between two parties, of whom it is known in which groups they are. */
    static List<FaultWindow> between(WorldMap world, Predicate<Group> one, Predicate<Group> other) {
        List<FaultWindow> windows = new ArrayList<>();
        for (WorldFault fault : world.faults()) {
            if (fault instanceof WorldFault.Partition partition && partition.separates(one, other)) {
                windows.add(new FaultWindow(nanos(fault.begins()), nanos(fault.ends()), true, 0));
            } else if (fault instanceof WorldFault.SlowLink slow && slow.slows(one, other)) {
                windows.add(new FaultWindow(nanos(fault.begins()), nanos(fault.ends()), false, nanos(slow.byMicros())));
            }
        }
        return windows;
    }

    boolean has(long nanos) {
        return begins <= nanos && nanos < ends;
    }

    private static long nanos(long micros) {
        return TimeUnit.MICROSECONDS.toNanos(micros); // Stays Long.MAX_VALUE.
    }
}
