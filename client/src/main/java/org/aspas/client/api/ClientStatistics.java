package org.aspas.client.api;

/**
 * Counts since the client was made, read one by one and not at one instant.
 *
 * @param updates calls that update
 * @param answered updates with a verified answer that the application was told
 * @param confirmed updates with a verified confirmation
 * @param reads calls that read
 * @param readsDone reads with a verified value
 * @param failed updates and reads that failed
 * @param verificationFailures checks that failed
 * @param unconfirmed updates that are unconfirmed now
 * @param waiting updates that wait for room in the window now
 * @param highestUnconfirmed the most updates that were ever unconfirmed at once
 * @param connections connections that were made
 * @param certificate the number of the newest certificate that this client has verified; 0 before the first
 * @param inspections inspections that were begun
 * @param switches how often the client turned to another server
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
        int highestUnconfirmed,
        long connections,
        long certificate,
        long inspections,
        long switches) {}
