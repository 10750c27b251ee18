package org.aspas.appserver.core.complaint;

import java.util.Optional;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.broadcast.OriginLog;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.Recomputation;
import org.aspas.appserver.core.step.ServerCondition;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.codec.LogRoots;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.AnswerAgainstHead;
import org.aspas.certify.message.AnswerAgainstLog;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.InspectReply.Outcome;
import org.aspas.certify.message.Question;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.ReadPart;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;

/**
 * Recomputes another server's answer at its own version, roots and certificate (the protocol page, docs/protocol.md §7).
 * Only like is compared with like. For one thread.
 */
public final class Inspector {
    /** An answer whose version lies further than this beyond its certificate is not recomputed. */
    static final long MOST_ENTRIES = 20_000;

    /** Replaying so many entries costs as much as decoding one of them before. */
    private static final long REPLAYED_PER_DECODED = 8;

    /** Visiting so many bytes of an object's state costs no more than decoding one entry. */
    private static final long BYTES_PER_DECODED = 512;

    private static final int REMEMBERED_OUTCOMES = 1_024;

    private final Logs logs;
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final ServerCondition condition;
    private final BoundedMap<Hash, Outcome> outcomes = new BoundedMap<>(REMEMBERED_OUTCOMES);

    /** An inspector that compares with these logs and objects. */
    public Inspector(Logs logs, ObjectStore objects, CertifiedHistory history, ServerCondition condition) {
        this.logs = logs;
        this.objects = objects;
        this.history = history;
        this.condition = condition;
    }

    /** The digest of this server's roots at the version of an answer; zero when it is not there. */
    Hash rootsAt(Response response) {
        return delivered(response) && logs.knowsRoots(response.version())
                ? LogRoots.digest(logs.rootsAt(response.version()))
                : Hash.ZERO;
    }

    /** Whether it can be proved, once it is certified, which entry has a place: it is not forgotten. */
    boolean provable(Dot dot) {
        return logs.provable(dot);
    }

    private boolean offTheLog() {
        return condition.diverged() || condition.amnesiac();
    }

    private boolean delivered(Response response) {
        return response.version().size() == logs.version().size() && logs.delivered(response.version());
    }

    /**
     * What an inspection of this answer costs, in entries that have to be decoded: 0 when the outcome is known or plain, and
     * never more than {@link #MOST_ENTRIES}. A question for a whole value costs more the larger the object is.
     */
    long cost(Signed<Response> answer, Question question) {
        if (outcomes.containsKey(answer.identity()) || plain(answer.message()).isPresent()) {
            return 0;
        }
        VersionVector version = logs.cuts().clip(answer.message().version());
        VersionVector after = certifiedBefore(answer.message());
        long decoded = 0;
        for (int origin = 0; origin < version.size(); origin++) {
            long end = Math.min(version.get(origin), history.certified().get(origin));
            decoded += Math.max(0, end - after.get(origin));
        }
        long open = version.sum() - after.sum() - decoded;
        long visited = wholeValueBytes(question) / BYTES_PER_DECODED;
        return Math.min(MOST_ENTRIES, 1 + decoded + open / REPLAYED_PER_DECODED + visited);
    }

    /** How large the object is whose whole value a question asks for; 0 for one that asks for a part. */
    private long wholeValueBytes(Question question) {
        Signed<Request> update = question.update();
        if (update != null) {
            return objects.bytes(update.message().key(), update.message().type());
        }
        Read read = question.read();
        return read == null || read.part() != null ? 0 : objects.bytes(read.key(), read.type());
    }

    /**
     * Compares an answer with the value that its question has here. The answer must be one to the question. What was found
     * once stands while it is remembered, also when what it was found from is forgotten: whoever complains of the answer
     * needs that as many find it as found it before.
     */
    Outcome inspect(Signed<Response> answer, Question question) {
        Response response = answer.message();
        Outcome known = offTheLog() ? null : outcomes.get(answer.identity());
        if (known != null) {
            return known;
        }
        Optional<Outcome> plain = plain(response);
        if (plain.isPresent()) {
            return plain.get();
        }
        VersionVector version = logs.cuts().clip(response.version());
        Outcome outcome = compare(response, question, certifiedBefore(response), version);
        outcomes.put(answer.identity(), outcome);
        return outcome;
    }

    private VersionVector certifiedBefore(Response response) {
        return history.versionAt(response.certificate())
                .orElseThrow(() -> new IllegalStateException("certificate " + response.certificate() + " is pruned"));
    }

    /** The outcome, if nothing has to be recomputed for it. */
    private Optional<Outcome> plain(Response response) {
        if (offTheLog()) {
            return Optional.of(Outcome.DIVERGED);
        }
        if (!delivered(response) || response.certificate().isAfter(history.number())) {
            return Optional.of(Outcome.NOT_DELIVERED);
        }
        if (!logs.knowsRoots(response.version())) {
            return Optional.of(Outcome.PRUNED);
        }
        if (!rootsAt(response).equals(response.roots())) {
            boolean cut = !logs.cuts().clip(response.version()).equals(response.version());
            return Optional.of(cut ? Outcome.ORIGIN_CUT : Outcome.ROOTS_DIFFER);
        }
        if (silent(response)) {
            return Optional.of(Outcome.MATCH);
        }
        Optional<VersionVector> certified = history.versionAt(response.certificate());
        VersionVector version = logs.cuts().clip(response.version());
        if (certified.isEmpty()
                || !version.dominates(certified.get())
                || version.sum() - certified.get().sum() > MOST_ENTRIES) {
            return Optional.of(Outcome.PRUNED);
        }
        return Optional.empty();
    }

    /**
     * Evidence that an answer to an update names another leaf than its server put at that dot into the log that is held
     * here, certified or not, if so (the protocol page, §8). The answer's signature must be right.
     */
    Optional<Evidence> contradiction(Signed<Response> answer) {
        Dot dot = answer.message().dot();
        if (dot == null || dot.origin() != answer.message().server()) {
            return Optional.empty();
        }
        OriginLog log = logs.of(dot.origin());
        if (dot.sequence() > log.size()
                || !logs.provable(dot)
                || log.leaf(dot.sequence()).equals(answer.message().leaf())) {
            return Optional.empty();
        }
        Hash leaf = log.leaf(dot.sequence());
        Certificate newest = history.newest().orElse(null);
        long certified = newest == null ? 0 : newest.content().version().get(dot.origin());
        if (newest != null && dot.sequence() <= certified && certified <= log.size()) {
            return Optional.of(new AnswerAgainstLog(answer, newest, leaf, log.prove(dot.sequence(), certified)));
        }
        return log.headOver(dot.sequence())
                .filter(head -> head.message().size() <= log.size()
                        && log.knowsRoot(head.message().size()))
                .map(head -> new AnswerAgainstHead(
                        answer,
                        head,
                        leaf,
                        log.prove(dot.sequence(), head.message().size())));
    }

    /** An answer to an update may leave the value out; it then says nothing that could be wrong. */
    private static boolean silent(Response response) {
        return response.isUpdate()
                && response.result() instanceof Value.Sequence items
                && items.items().isEmpty();
    }

    private Outcome compare(Response response, Question question, VersionVector certified, VersionVector version) {
        Signed<Request> update = question.update();
        Read read = question.read();
        String key = update != null ? update.message().key() : read == null ? "" : read.key();
        String type = update != null ? update.message().type() : read == null ? "" : read.type();
        if (DataTypes.byName(type).isEmpty()) {
            return Outcome.DIFFERS; // A correct server refuses such a question.
        }
        Recomputation there = new Recomputation(
                objects, key, type, response.certificate(), certified, logs.between(certified, version));
        ReadPart part = read == null ? null : read.part();
        Optional<Optional<Value>> value = read != null && part != null && read.certified()
                ? Optional.of(there.certified(part, response.result()))
                : there.live(part);
        if (value.isEmpty()) {
            return Outcome.CONTESTED;
        }
        // A correct server refuses a question for a part that there is not.
        return value.get().equals(Optional.of(response.result())) ? Outcome.MATCH : Outcome.DIFFERS;
    }
}
