package org.aspas.client.api;

import org.aspas.client.core.port.InspectionCounts;

/**
 * Counts since the client was made, read one by one and not at one instant.
 *
 * @param answered updates with a verified answer that the application was told
 * @param confirmed updates with a verified confirmation
 * @param readsDone reads with a verified value
 * @param failed updates and reads that failed
 * @param unconfirmed updates that are unconfirmed now: how much of τ is in use
 * @param waiting updates that wait for room in the window of τ now
 * @param waited updates that τ has made wait: for room in the window, or with τ = 1 for their own confirmation
 * @param tolerance τ now: from 1, or {@link Tolerance#UNBOUNDED}
 * @param exposure the most updates that were unconfirmed at once: so many of its own the client could have lost, had its
 *     server been excluded then
 * @param certificate the number of the newest certificate that this client has verified; 0 before the first
 * @param switches how often the client turned to another server
 * @param inspected what became of the answers that chance picked for inspection
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
    /** Which part of the updates τ has made wait, 0 to 1; 0 before the first. */
    public double waitedShare() {
        return updates == 0 ? 0 : (double) waited / updates;
    }
}
