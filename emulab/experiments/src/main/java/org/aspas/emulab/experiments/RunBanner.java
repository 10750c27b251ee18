package org.aspas.emulab.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.lab.cluster.Keeping;
import org.aspas.emulab.rivals.SystemChoice;
import org.aspas.emulab.rivals.aspas.AspasSystem;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.workload.SystemUnderTest;
import org.jspecify.annotations.Nullable;

/** What is said of a run before it begins. */
final class RunBanner {
    private RunBanner() {}

    static List<String> lines(
            SystemChoice choice,
            RunSettings settings,
            @Nullable WorldMap world,
            Keeping keeping,
            SystemUnderTest system) {
        List<String> lines = new ArrayList<>();
        lines.add("  " + choice.name() + ": " + choice.about());
        if (system instanceof AspasSystem aspas) {
            aspas.cluster()
                    .descriptor()
                    .nodes()
                    .forEach(node -> lines.add(
                            String.format(Locale.ROOT, "  %-12s links %s:%d", node.id(), node.host(), node.linkPort())
                                    + (node.id().role() == Role.APPSERVER ? "   http " + node.servicePort() : "")));
        }
        Durability durability = keeping.durability();
        if (durability != null) {
            lines.add("  records in files on " + keeping.disk() + ", those of appservers by "
                    + durability.name().toLowerCase(Locale.ROOT));
        }
        String distance = world == null
                ? "round trip " + settings.rttMillis() + " ms"
                : "world " + world.name() + " (" + world.about() + ")";
        lines.add("  " + settings.clients() + " clients (" + settings.mix().text() + "), " + distance + ", seed "
                + settings.seed());
        return lines;
    }
}
