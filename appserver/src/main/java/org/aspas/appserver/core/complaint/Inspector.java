package org.aspas.appserver.core.complaint;

import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.OriginLog;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.Recomputation;
import org.aspas.appserver.core.state.ServerCondition;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes another server's answer at its own version, roots and certificate (the protocol page, docs/protocol.md §7).
 * Only like is compared with like. For one thread.
 */
public final class Inspector {
    /** An answer that needs more entries than this is not recomputed. */
    static final long MOST_ENTRIES = 20_000;

    /** Replaying so many entries costs as much as decoding one of them before. */
    private static final long REPLAYED_PER_DECODED = 8;

    /** Visiting so many bytes of an object's state costs no more than decoding one entry. */
    private static final long BYTES_PER_DECODED = 512;

    private static final int REMEMBERED_OUTCOMES = 1_024;
    private static final int DECODED_ENTRIES = 1_024;
    /** Larger entries are decoded each time. */
    private static final int SHARED_BYTES = 2_048;

    private final Logs logs;
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final ServerCondition condition;
    private final BoundedMap<Hash, Outcome> outcomes = new BoundedMap<>(REMEMBERED_OUTCOMES);
    /** Certified entries by their leaves: of an object that many ask for, inspections close to each other need the same ones. */
    private final BoundedMap<Hash, Entry> decoded = new BoundedMap<>(DECODED_ENTRIES);

    public Inspector(Logs logs, ObjectStore objects, CertifiedHistory history, ServerCondition condition) {
        this.logs = logs;
        this.objects = objects;
        this.history = history;
        this.condition = condition;
    }

    /** The digest of this server's roots at the version of an answer; zero when it is not there. */
    private Hash rootsAt(Response response) {
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
     * An answer, as far as it is looked at without recomputing it; good for one step.
     *
     * @param answer the answer, which must be one to the question
     * @param roots the digest of this server's roots at its version; zero when it is not there
     * @param plain the outcome, if it is known or nothing has to be recomputed for it
     * @param own where the updates are that concern its object; absent when all entries have to be looked at
     * @param cost what the inspection costs, in entries that have to be decoded: 0 when the outcome is known or plain, and never
     *     more than {@link #MOST_ENTRIES}. A question for a whole value costs more the larger the object is.
     */
    record Examined(
            Signed<Response> answer,
            Question question,
            Hash roots,
            @Nullable Outcome plain,
            @Nullable List<Dot> own,
            long cost) {}

    Examined examine(Signed<Response> answer, Question question) {
        Response response = answer.message();
        Hash roots = rootsAt(response);
        Outcome known = offTheLog() ? null : outcomes.get(answer.identity());
        Outcome plain = known != null ? known : plain(response, roots).orElse(null);
        if (plain != null) {
            return new Examined(answer, question, roots, plain, null, 0);
        }
        VersionVector after = certifiedBefore(response);
        VersionVector version = logs.cuts().clip(response.version());
        List<Dot> own = logs.ordered(after) ? own(response, question, version).orElse(null) : null;
        long visited = wholeValueBytes(question) / BYTES_PER_DECODED;
        long replayed = own == null ? cost(after, version) : cost(own);
        return replayed > MOST_ENTRIES
                ? new Examined(answer, question, roots, Outcome.PRUNED, null, 0)
                : new Examined(answer, question, roots, null, own, Math.min(MOST_ENTRIES, 1 + replayed + visited));
    }

    /** The updates that concern the object of a question, if these alone tell its value. */
    private Optional<List<Dot>> own(Response response, Question question, VersionVector version) {
        return objects.remembered().updates(key(question), response.certificate(), version);
    }

    private long cost(List<Dot> own) {
        long decoded = own.stream().filter(history.certified()::covers).count();
        return decoded + (own.size() - decoded) / REPLAYED_PER_DECODED;
    }

    private long cost(VersionVector after, VersionVector version) {
        long all = version.sum() - after.sum();
        long decoded = 0;
        for (int origin = 0; origin < version.size(); origin++) {
            long end = Math.min(version.get(origin), history.certified().get(origin));
            decoded += Math.max(0, end - after.get(origin));
        }
        return all > MOST_ENTRIES ? all : decoded + (all - decoded) / REPLAYED_PER_DECODED;
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

    /** As {@link #outcome}, of an answer that was not examined. */
    Outcome inspect(Signed<Response> answer, Question question) {
        return outcome(examine(answer, question));
    }

    /**
     * Compares an answer with the value that its question has here. What was found once stands while it is remembered, also when
     * what it was found from is forgotten: whoever complains of the answer needs that as many find it as found it before.
     */
    Outcome outcome(Examined examined) {
        if (examined.plain() != null) {
            return examined.plain();
        }
        Outcome outcome = compare(examined);
        outcomes.put(examined.answer().identity(), outcome);
        return outcome;
    }

    /**
     * Whether an answer to an update names the leaf that its place has in the log here. The update's signature was verified then,
     * or is certified.
     */
    boolean entered(Response response) {
        Dot dot = response.dot();
        return dot != null
                && dot.origin() < response.version().size()
                && response.version().size() == logs.version().size()
                && logs.version().covers(dot)
                && logs.provable(dot)
                && logs.of(dot.origin()).leaf(dot.sequence()).equals(response.leaf());
    }

    private VersionVector certifiedBefore(Response response) {
        return history.versionAt(response.certificate())
                .orElseThrow(() -> new IllegalStateException("certificate " + response.certificate() + " is pruned"));
    }

    /** The outcome, if nothing has to be recomputed for it. */
    private Optional<Outcome> plain(Response response, Hash roots) {
        if (offTheLog()) {
            return Optional.of(Outcome.DIVERGED);
        }
        if (!delivered(response) || response.certificate().isAfter(history.number())) {
            return Optional.of(Outcome.NOT_DELIVERED);
        }
        if (!logs.knowsRoots(response.version())) {
            return Optional.of(Outcome.PRUNED);
        }
        VersionVector version = logs.cuts().clip(response.version());
        if (!roots.equals(response.roots())) {
            boolean cut = !version.equals(response.version());
            return Optional.of(cut ? Outcome.ORIGIN_CUT : Outcome.ROOTS_DIFFER);
        }
        if (silent(response)) {
            return Optional.of(Outcome.MATCH);
        }
        return history.versionAt(response.certificate())
                        .filter(certified ->
                                objects.remembered().has(response.certificate()) && version.dominates(certified))
                        .isPresent()
                ? Optional.empty()
                : Optional.of(Outcome.PRUNED);
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

    private static String key(Question question) {
        Signed<Request> update = question.update();
        Read read = question.read();
        return update != null ? update.message().key() : read == null ? "" : read.key();
    }

    private static String type(Question question) {
        Signed<Request> update = question.update();
        Read read = question.read();
        return update != null ? update.message().type() : read == null ? "" : read.type();
    }

    private Outcome compare(Examined examined) {
        Response response = examined.answer().message();
        Read read = examined.question().read();
        if (DataTypes.byName(type(examined.question())).isEmpty()) {
            return Outcome.DIFFERS; // A correct server refuses such a question.
        }
        Recomputation there = recomputation(examined);
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

    private Recomputation recomputation(Examined examined) {
        CertificateNumber certificate = examined.answer().message().certificate();
        VersionVector after = certifiedBefore(examined.answer().message());
        VersionVector version = logs.cuts().clip(examined.answer().message().version());
        String key = key(examined.question());
        String type = type(examined.question());
        List<Dot> own = examined.own();
        return own == null
                ? Recomputation.ofAll(objects, key, type, certificate, after, logs.between(after, version))
                : Recomputation.ofOwn(
                        objects,
                        key,
                        type,
                        certificate,
                        after,
                        version,
                        own.stream().map(this::entry).toList());
    }

    private Entry entry(Dot dot) {
        OriginLog log = logs.of(dot.origin());
        boolean shared = history.certified().covers(dot) && log.encoded(dot.sequence()).length <= SHARED_BYTES;
        return shared
                ? decoded.computeIfAbsent(log.leaf(dot.sequence()), any -> log.entry(dot.sequence()))
                : log.entry(dot.sequence());
    }
}
