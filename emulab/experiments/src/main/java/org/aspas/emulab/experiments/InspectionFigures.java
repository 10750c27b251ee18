package org.aspas.emulab.experiments;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.aspas.client.core.InspectionCounts;
import org.aspas.emulab.workload.StoreSession;

/** What became of the answers that clients picked for inspection, as figures by name. */
final class InspectionFigures {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final long PAUSE_MILLIS = 50;
    private static final double PERCENT = 100;

    private InspectionFigures() {}

    static InspectionCounts of(List<StoreSession> clients) {
        return clients.stream().map(StoreSession::inspected).reduce(InspectionCounts.NONE, InspectionCounts::plus);
    }

    /** Waits until no inspection is open any more, ten seconds at most. */
    static InspectionCounts settled(List<StoreSession> clients) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (of(clients).open() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return of(clients);
    }

    /**
     * The figures; none when nothing was picked.
     *
     * @param answers how many answers there were to pick from
     */
    static SortedMap<String, Double> figures(InspectionCounts counts, long answers) {
        SortedMap<String, Double> figures = new TreeMap<>();
        if (counts.picked() > 0) {
            figures.put("inspected_picked", (double) counts.picked());
            figures.put("inspected_match", (double) counts.matched());
            figures.put("inspected_differs", (double) counts.differed());
            figures.put("inspected_unknown", (double) counts.unknown());
            figures.put("inspected_dropped", (double) counts.dropped());
            figures.put("inspected_over_budget", (double) counts.overBudget());
            figures.put("inspected_open", (double) counts.open());
            figures.put("judged_percent_of_answers", PERCENT * counts.judged() / Math.max(1, answers));
        }
        return figures;
    }
}
