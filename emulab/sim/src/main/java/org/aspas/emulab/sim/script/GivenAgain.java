package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.wire.RequestName;
import org.aspas.emulab.sim.invariant.Fact;
import org.jspecify.annotations.Nullable;

/**
 * Clients give updates again. Either their server has entered them, and gave them to nobody before it was away: they count by another one's
 * entries, and it learns that from a snapshot, with its own entries still to be certified. Or a client comes back on an older record,
 * when the entries that counted are forgotten everywhere.
 */
final class GivenAgain extends Schedule {
    private final boolean snapshot;
    private final Set<RequestName> before = new HashSet<>();
    private @Nullable SimulatedSystem system;
    private long again;
    private long back;

    GivenAgain(String name, boolean snapshot) {
        super(name);
        this.snapshot = snapshot;
        on(Fact.Confirmed.class, fact -> {
            if (!snapshot) {
                before.add(fact.name());
            }
        });
        on(Fact.RequestSent.class, fact -> sent(RequestName.of(fact.request())));
    }

    @Override
    void begin(SimulatedSystem made) {
        system = made;
        back = made.settings.script().stream()
                .mapToLong(snapshot ? Fault::begins : Fault::ends)
                .max()
                .orElseThrow();
    }

    private void sent(RequestName name) {
        SimulatedSystem made = system;
        if (made != null && made.timeline.now() >= back) {
            again += before.contains(name) ? 1 : 0;
        } else if (snapshot) {
            before.add(name);
        }
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (again == 0) {
            missing.add("no update was given again");
        }
        SimulatedSystem made = system;
        boolean installed = made != null
                && made.servers.stream().anyMatch(server -> server.disks().appended(Records.SNAPSHOT_INSTALLED) > 0);
        if (snapshot && !installed) {
            missing.add("no snapshot was installed");
        }
        return missing;
    }
}
