package org.aspas.certify.machine;

import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;

/**
 * ACCEPTs and COMMITs that were ordered before the content that they are about was decided: replicas say them as soon as they have the
 * answers in hand (docs/proofs/early-words.md), and the order may put the answers behind them. Of each replica the word of the highest
 * attempt is kept of each kind, until a content is decided.
 */
final class WordsAhead {
    private final TreeMap<Integer, Signed<Accept>> accepts = new TreeMap<>();
    private final TreeMap<Integer, Signed<Commit>> commits = new TreeMap<>();

    /** Whether it is of a higher attempt than the one that is kept of its replica: nobody can bring an older word in its place. */
    boolean awaits(Accept accept) {
        Signed<Accept> last = accepts.get(accept.replica());
        return last == null || accept.attempt() > last.message().attempt();
    }

    boolean awaits(Commit commit) {
        Signed<Commit> last = commits.get(commit.replica());
        return last == null || commit.attempt() > last.message().attempt();
    }

    void put(Signed<? extends Message> word) {
        word.as(Accept.class).ifPresent(accept -> accepts.put(accept.message().replica(), accept));
        word.as(Commit.class).ifPresent(commit -> commits.put(commit.message().replica(), commit));
    }

    /** Takes the ACCEPTs, in order of the replicas. */
    List<Signed<Accept>> takeAccepts() {
        List<Signed<Accept>> taken = List.copyOf(accepts.values());
        accepts.clear();
        return taken;
    }

    /** Takes the COMMITs, in order of the replicas. */
    List<Commit> takeCommits() {
        List<Commit> taken = commits.values().stream().map(Signed::message).toList();
        commits.clear();
        return taken;
    }

    void write(SnapshotWriter writer) {
        writer.number(accepts.size());
        accepts.values().forEach(accept -> writer.counted(Codec.encode(accept)));
        writer.number(commits.size());
        commits.values().forEach(commit -> writer.counted(Codec.encode(commit)));
    }

    static WordsAhead read(SnapshotReader reader, int replicas) {
        WordsAhead ahead = new WordsAhead();
        int next = 0;
        for (int left = reader.count(0, replicas); left > 0; left--) {
            Signed<Accept> accept = reader.signed(Accept.class);
            next = place(accept.message().replica(), next, replicas);
            ahead.put(accept);
        }
        next = 0;
        for (int left = reader.count(0, replicas); left > 0; left--) {
            Signed<Commit> commit = reader.signed(Commit.class);
            next = place(commit.message().replica(), next, replicas);
            ahead.put(commit);
        }
        return ahead;
    }

    private static int place(int replica, int next, int replicas) {
        if (replica < next || replica >= replicas) {
            throw new IllegalArgumentException("snapshot: a word that does not fit");
        }
        return replica + 1;
    }
}
