package org.aspas.certify.machine;

import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.quorum.Quorums;

/**
 * Which servers dissented about the logs of which origins, in rounds that found no decision. Where f+1 servers agree on a
 * root, and no others on another one, a correct server among them has that root; so whoever says something else lies, or the
 * origin forked its log. Hence a correct server dissents about at most f origins for ever, and one that dissented about more
 * lies: rounds that end undecided are judged without its words from then on. So a liar can hold back f origins, while a
 * correct server is slow, and never all.
 *
 * <p>That a server lies is known to the machine alone and proved to nobody: it is not excluded, and its words still count
 * towards decisions.
 */
final class Dissents {
    private final Quorums quorums;
    private final TreeMap<Integer, TreeSet<Integer>> about = new TreeMap<>();

    Dissents(Quorums quorums) {
        this.quorums = quorums;
    }

    /** Remembers who dissents in this tally. */
    void note(Tally tally) {
        for (int origin = 0; origin < quorums.appservers(); origin++) {
            for (int server : tally.minority(origin)) {
                about.computeIfAbsent(server, any -> new TreeSet<>()).add(origin);
            }
        }
    }

    /** Whether the server dissented about more origins than can lie. */
    boolean lies(int server) {
        return about.getOrDefault(server, new TreeSet<>()).size() >= quorums.oneCorrectAppserver();
    }

    void write(SnapshotWriter writer) {
        writer.number(about.size());
        about.forEach((server, origins) -> {
            writer.number(server);
            writer.number(origins.size());
            origins.forEach(writer::number);
        });
    }

    static Dissents read(SnapshotReader reader, Quorums quorums) {
        Dissents dissents = new Dissents(quorums);
        int next = 0;
        for (int left = reader.count(0, quorums.appservers()); left > 0; left--) {
            int server = reader.count(next, quorums.appservers() - 1);
            dissents.about.put(server, origins(reader, quorums.appservers()));
            next = server + 1;
        }
        return dissents;
    }

    private static TreeSet<Integer> origins(SnapshotReader reader, int servers) {
        TreeSet<Integer> origins = new TreeSet<>();
        int next = 0;
        for (int left = reader.count(1, servers); left > 0; left--) {
            int origin = reader.count(next, servers - 1);
            origins.add(origin);
            next = origin + 1;
        }
        return origins;
    }
}
