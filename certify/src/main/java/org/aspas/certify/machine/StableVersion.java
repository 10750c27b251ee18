package org.aspas.certify.machine;

import java.util.Arrays;
import java.util.Collection;
import org.aspas.certify.identity.Quorums;
import org.aspas.crdt.clock.VersionVector;

/**
 * LV, the version that a quorum of appservers reports (the protocol page, docs/protocol.md §5.2). Component i is the
 * (2f+1)-th largest of the reported components i, where a server without a report counts as 0. At least f+1 correct
 * servers then hold it, and f servers that are silent or report too low or too high can neither stop LV nor push it past
 * what a correct server holds.
 */
public final class StableVersion {
    private StableVersion() {}

    /**
     * The version that a quorum holds.
     *
     * @param reports the newest report of each appserver that has one, at most N of them, each of size N
     * @param floor what LV was already; the result is never below it in any component
     * @return LV, of size N
     * @throws IllegalArgumentException when there are more than N reports, or a vector has another size
     */
    public static VersionVector of(Quorums quorums, Collection<VersionVector> reports, VersionVector floor) {
        int servers = quorums.appservers();
        if (reports.size() > servers) {
            throw new IllegalArgumentException(reports.size() + " reports of " + servers + " appservers");
        }
        VersionVector version = floor;
        for (int origin = 0; origin < servers; origin++) {
            long held = held(quorums, reports, origin);
            if (held > version.get(origin)) {
                version = version.with(origin, held);
            }
        }
        return version;
    }

    private static long held(Quorums quorums, Collection<VersionVector> reports, int origin) {
        long[] components = new long[quorums.appservers()];
        int next = 0;
        for (VersionVector report : reports) {
            if (report.size() != components.length) {
                throw new IllegalArgumentException("a report of size " + report.size());
            }
            components[next++] = report.get(origin);
        }
        Arrays.sort(components);
        return components[components.length - quorums.appserverQuorum()];
    }
}
