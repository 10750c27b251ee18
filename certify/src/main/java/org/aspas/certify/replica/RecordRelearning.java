package org.aspas.certify.replica;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.replica.RecordItem.Locked;
import org.aspas.certify.replica.RecordItem.Taught;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;

/**
 * When a replica whose record is not complete may take part again (the protocol page, docs/protocol.md §5.5). It listens
 * to statements that answer the one it made at this very start, so that none of an earlier life counts. It has learned
 * when 2b+1 others with complete records have answered. Had it ever signed a content, 2b+1 replicas would have committed to it, so
 * at least b correct others would hold the proof, and one of the 2b+1 would have shown it or one with a higher number. It takes
 * the highest proof as its own and never touches a lower number.
 *
 * <p>No number of others can tell it that the deployment is new: a record is made with the deployment ({@link RecordItem#FIRST_DAY}),
 * so one that is not there is lost.
 *
 * Not thread-safe.
 */
final class RecordRelearning {
    /** One question is answered at most once in so many steps of ordered time; each time it is answered the pause doubles. */
    static final int ANSWER_TICKS = 4;

    /** So many questions of one replica that were not heard before are answered in that time. */
    static final int NEW_QUESTIONS = 8;

    /** So many questions of one replica that were heard before are answered in that time. */
    static final int OLD_QUESTIONS = 8;

    /** How long the pause between two answers to one question becomes, in steps. */
    private static final int LONGEST_PAUSE = 64;

    private static final int REMEMBERED = 256;

    private final Quorums quorums;
    private final Map<Integer, Recover> heard = new TreeMap<>();
    private final Map<Integer, Asker> askers = new TreeMap<>();
    private long now;

    /** When a question was answered last, and how long it then has to wait. */
    private record Answered(long at, long pause) {
        Answered again(long now) {
            return new Answered(now, Math.min(2 * pause, LONGEST_PAUSE));
        }
    }

    /** A replica that asked, with its questions, named by its starts, that were answered. */
    private static final class Asker {
        private final Map<Hash, Answered> answered = new BoundedMap<>(REMEMBERED);
        private long since;
        private int fresh;
        private int old;

        boolean mayAnswer(Hash start, long now) {
            if (now - since >= ANSWER_TICKS) {
                since = now;
                fresh = 0;
                old = 0;
            }
            Answered before = answered.get(start);
            boolean may = before == null
                    ? fresh++ < NEW_QUESTIONS
                    : now - before.at() >= before.pause() && old++ < OLD_QUESTIONS;
            if (may) {
                answered.put(start, before == null ? new Answered(now, ANSWER_TICKS) : before.again(now));
            }
            return may;
        }
    }

    RecordRelearning(Quorums quorums) {
        this.quorums = quorums;
    }

    void tick(long k) {
        now = k;
    }

    /**
     * Whether a question is to be answered now; if so that is remembered. Questions of earlier starts, which anybody can
     * repeat, do not delay the answer to a new one, nor, as their pauses grow, later answers for ever; and whoever asks, under
     * however many names, is answered at most {@link #NEW_QUESTIONS} + {@link #OLD_QUESTIONS} times in {@link #ANSWER_TICKS}
     * steps.
     *
     * @param start names the start of its process at which it asked
     */
    boolean mayAnswer(int replica, Hash start) {
        return askers.computeIfAbsent(replica, any -> new Asker()).mayAnswer(start, now);
    }

    /** Takes another replica's answer, whose proof was verified. */
    void hear(Recover answer) {
        heard.put(answer.replica(), answer);
    }

    /** What to put into the record so that it is complete; empty while too few have answered. */
    Optional<List<RecordItem>> learned() {
        long complete = heard.values().stream().filter(Recover::knowing).count();
        if (complete < quorums.bftserverQuorum()) {
            return Optional.empty();
        }
        List<RecordItem> items = new ArrayList<>();
        Optional<ProvenContent> highest = highest();
        highest.ifPresent(proven -> items.add(new Locked(proven)));
        items.add(new Taught(highest.map(proven -> proven.number().previous()).orElse(CertificateNumber.NONE)));
        return Optional.of(items);
    }

    private Optional<ProvenContent> highest() {
        return heard.values().stream()
                .flatMap(answer -> Optional.ofNullable(answer.proven()).stream())
                .max(Comparator.comparing(ProvenContent::number).thenComparingLong(ProvenContent::attempt));
    }
}
