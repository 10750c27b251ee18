package org.aspas.certify.machine;

import java.util.Set;
import java.util.TreeMap;
import org.aspas.certify.quorum.Quorums;
import org.aspas.certify.stable.Cuts;
import org.aspas.certify.stable.StableVersion;
import org.aspas.crdt.clock.VersionVector;

/** The newest valid report of each appserver. */
final class VersionReports {
    private final Quorums quorums;
    private final TreeMap<Integer, VersionVector> newest = new TreeMap<>();
    private VersionVector highest;

    VersionReports(Quorums quorums) {
        this.quorums = quorums;
        this.highest = VersionVector.zero(quorums.appservers());
    }

    /** Whether any component of a report of this server goes forward. */
    boolean advances(int server, VersionVector report) {
        VersionVector before = newest.get(server);
        return before == null || !before.dominates(report);
    }

    /**
     * Takes a report. A component that goes back is ignored, and holds up no other: a server that repaired the log of an
     * origin that lied to it holds less of that origin than it once said.
     */
    void put(int server, VersionVector report) {
        newest.merge(server, report, VersionVector::join);
        highest = highest.join(report);
    }

    /** Forgets who is convicted, and reads all others with their cuts. */
    void exclude(Set<Integer> convicted, Cuts cuts) {
        newest.keySet().removeAll(convicted);
        newest.replaceAll((server, report) -> cuts.fix(report));
        highest = VersionVector.zero(quorums.appservers());
        newest.values().forEach(report -> highest = highest.join(report));
    }

    /** The join of all reports: how far each origin is known to have signed. */
    VersionVector highest() {
        return highest;
    }

    /** The version that a quorum holds, at least the floor. */
    VersionVector stable(VersionVector floor) {
        return StableVersion.of(quorums, newest.values(), floor);
    }

    void write(SnapshotWriter writer) {
        writer.number(newest.size());
        newest.forEach((server, report) -> {
            writer.number(server);
            writer.version(report);
        });
    }

    static VersionReports read(SnapshotReader reader, Quorums quorums) {
        VersionReports reports = new VersionReports(quorums);
        int size = reader.count(0, quorums.appservers());
        int next = 0;
        for (int i = 0; i < size; i++) {
            int server = reader.count(next, quorums.appservers() - 1);
            reports.put(server, reader.version());
            next = server + 1;
        }
        return reports;
    }
}
