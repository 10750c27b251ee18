package org.aspas.client.api;

import org.aspas.client.core.InspectionCounts;

/**
 * Counts since the client was created. The counters are read one after the other, so they do not describe one instant.
 *
 * @param updates updates that the application has issued
 * @param answered updates whose verified answer was reported to the application
 * @param confirmed updates with a verified confirmation
 * @param reads reads that the application has issued
 * @param readsDone reads with a verified value
 * @param failed updates and reads that failed
 * @param verificationFailures checks of servers' messages that failed
 * @param unconfirmed updates that are unconfirmed now: how much of τ is in use
 * @param waiting updates that are waiting for room in the window of τ now
 * @param waited updates that τ has delayed: until there was room in the window, or with τ = 1 until their own confirmation
 * @param tolerance the current τ: from 1, or {@link Tolerance#UNBOUNDED}
 * @param exposure the largest number of updates that were unconfirmed at once, which is how many of its own updates the client could
 *     have lost if its server had been excluded at that moment
 * @param connections connections that were established to the client's servers
 * @param certificate the number of the newest certificate that this client has verified; 0 before the first
 * @param inspections inspections of answers that were started, whether by chance or because of doubt
 * @param switches how often the client moved to another server
 * @param inspected the outcomes of the answers that were picked for inspection by chance
 */
public record ClientStatistics(
        long updates,
        long answered,
        long confirmed,
        long reads,
        long readsDone,
        long failed,
        long verificationFailures,
        int unconfirmed,
        int waiting,
        long waited,
        long tolerance,
        int exposure,
        long connections,
        long certificate,
        long inspections,
        long switches,
        InspectionCounts inspected) {
    /** Returns the share of updates that τ has delayed, from 0 to 1; 0 before the first update. */
    public double waitedShare() {
        return updates == 0 ? 0 : (double) waited / updates;
    }
}
