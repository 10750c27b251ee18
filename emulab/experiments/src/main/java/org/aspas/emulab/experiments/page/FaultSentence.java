package org.aspas.emulab.experiments.page;

import java.util.Locale;
import java.util.stream.Collectors;
import org.aspas.emulab.sim.world.Group;
import org.aspas.emulab.sim.world.WorldFault;

/** A fault of a world's timeline in a few words. */
final class FaultSentence {
    private static final double MICROS_PER_MILLI = 1e3;

    private FaultSentence() {}

    static String of(WorldFault fault) {
        if (fault instanceof WorldFault.Partition partition) {
            return "partition "
                    + partition.groups().stream().map(FaultSentence::group).collect(Collectors.joining(" | "));
        }
        if (fault instanceof WorldFault.SlowLink slow) {
            return String.format(
                    Locale.ROOT,
                    "%s – %s slower by %s ms",
                    group(slow.some()),
                    group(slow.others()),
                    PlotAxis.shown(slow.byMicros() / MICROS_PER_MILLI));
        }
        if (fault instanceof WorldFault.Freeze freeze) {
            return freeze.node() + " stands still";
        }
        if (fault instanceof WorldFault.Kill kill) {
            return kill.node() + " is down";
        }
        WorldFault.Misbehave liar = (WorldFault.Misbehave) fault;
        return liar.node() + " is " + liar.role();
    }

    private static String group(Group group) {
        return java.util.stream.Stream.concat(
                        group.sites().stream(), group.nodes().stream().map(Object::toString))
                .sorted()
                .collect(Collectors.joining(" "));
    }
}
