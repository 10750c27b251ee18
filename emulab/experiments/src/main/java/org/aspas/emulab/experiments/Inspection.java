package org.aspas.emulab.experiments;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.rivals.aspas.AspasSystem;
import org.aspas.emulab.workload.StoreSession;

/**
 * Inspection as a treatment: two groups of equally many clients that differ in the rate of inspection alone.
 *
 * @param inspecting how the inspecting clients guard themselves; the others do the same and inspect nothing
 */
record Inspection(Policy inspecting) implements Comparison.Treatment {
    private String percent() {
        return String.format(Locale.ROOT, "%s %%", 100 * inspecting.inspection());
    }

    @Override
    public Subject subject() {
        return new Subject("inspection", percent(), "inspections");
    }

    @Override
    public String title() {
        return "the cost of inspecting " + percent() + " of the answers";
    }

    @Override
    public Policy policy(boolean on) {
        return on ? inspecting : inspecting.withInspection(0, 0);
    }

    @Override
    public SortedMap<String, Double> figures(List<StoreSession> clients, long operations) throws InterruptedException {
        return InspectionFigures.figures(InspectionFigures.settled(clients), operations);
    }

    @Override
    public Comparison.Running begin(AspasSystem system) {
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return clients.stream().mapToLong(StoreSession::inspections).sum();
            }

            @Override
            public void close() {
                // The clients that inspect do so while they work.
            }
        };
    }
}
