package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.script.Fault.Kind;

/** What people do with a key and its record: each of it loses nothing, counts nothing twice, and burns no key (docs/adr/0011). */
final class KeyScenarios {
    private KeyScenarios() {}

    static void addTo(Map<String, LongFunction<Settings>> all) {
        all.put("two-processes", seed -> Settings.of(seed).withSchedule("two-processes"));
        all.put(
                "copied-record",
                seed -> Settings.of(seed)
                        .withClients(4, 150_000)
                        .withFaults(EnumSet.of(Kind.LINK_BREAK, Kind.CLIENT_BREAK, Kind.CRASH), 2_000_000)
                        .withSchedule("copied-record"));
        all.put("lost-record", seed -> forgetful(seed, Kind.DISK_LOST));
        all.put("old-record", seed -> forgetful(seed, Kind.DISK_OLD));
        all.put("clock-ahead", seed -> forgetful(seed, Kind.DISK_LOST).withSchedule("clock-ahead"));
    }

    /** One client after the other loses its record, or goes back to an older one. */
    private static Settings forgetful(long seed, Kind kind) {
        Settings settings = Settings.of(seed)
                .withClients(5, 200_000)
                .withMicros(12 * Timeline.SECOND)
                .withFaults(seed % 2 == 0 ? Set.of() : EnumSet.of(Kind.LINK_BREAK, Kind.CRASH), 2_000_000);
        List<Fault> script = new ArrayList<>();
        for (int i = 0; i < 2 * settings.clients(); i++) {
            long begins = (i + 1) * Timeline.SECOND;
            script.add(new Fault(
                    -1 - i,
                    kind,
                    begins,
                    begins + 600 * Timeline.MILLI,
                    List.of(),
                    List.of(),
                    i % settings.clients(),
                    Conditions.CALM));
        }
        return settings.withScript(script);
    }
}
