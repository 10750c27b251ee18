package org.aspas.appserver.core.complaint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.broadcast.OriginLog;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.Recomputation;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.LogRoots;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.AnswerAgainstHead;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.InspectReply.Outcome;
import org.aspas.certify.message.Question;
import org.aspas.certify.message.Read;
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
final class Inspector {
    /** An answer whose version lies further than this beyond its certificate is not recomputed. */
    private static final long MOST_ENTRIES = 20_000;

    private final Logs logs;
    private final ObjectStore objects;
    private final Certification certification;

    Inspector(Logs logs, ObjectStore objects, Certification certification) {
        this.logs = logs;
        this.objects = objects;
        this.certification = certification;
    }

    /** The digest of this server's roots at the version of an answer; zero when it is not there. */
    Hash rootsAt(Response response) {
        return delivered(response) ? LogRoots.digest(logs.rootsAt(response.version())) : Hash.ZERO;
    }

    private boolean delivered(Response response) {
        VersionVector version = response.version();
        return version.size() == logs.version().size()
                && logs.version().dominates(logs.cuts().clip(version));
    }

    /**
     * The proof that an answer names another entry than the log that its server showed the others has at that place, if
     * it does.
     */
    Optional<Evidence> contradiction(Signed<Response> answer) {
        Response response = answer.message();
        Dot dot = response.dot();
        if (dot == null
                || dot.origin() != response.server()
                || dot.origin() >= logs.version().size()
                || dot.sequence() < 1) {
            return Optional.empty();
        }
        OriginLog log = logs.of(dot.origin());
        if (log.size() < dot.sequence() || log.leaf(dot.sequence()).equals(response.leaf())) {
            return Optional.empty();
        }
        return log.headOver(dot.sequence())
                .map(head -> new AnswerAgainstHead(
                        answer,
                        head,
                        log.leaf(dot.sequence()),
                        log.prove(dot.sequence(), head.message().size())));
    }

    /** Compares an answer with the value that its question has here. The answer must be one to the question. */
    Outcome inspect(Response response, Question question) {
        if (certification.diverged()) {
            return Outcome.DIVERGED;
        }
        if (!delivered(response) || response.certificate() > certification.number()) {
            return Outcome.NOT_DELIVERED;
        }
        if (!rootsAt(response).equals(response.roots())) {
            boolean cut = !logs.cuts().clip(response.version()).equals(response.version());
            return cut ? Outcome.ORIGIN_CUT : Outcome.ROOTS_DIFFER;
        }
        if (silent(response)) {
            return Outcome.MATCH;
        }
        Optional<VersionVector> certified = certification.versionAt(response.certificate());
        VersionVector version = logs.cuts().clip(response.version());
        if (certified.isEmpty()
                || !version.dominates(certified.get())
                || version.sum() - certified.get().sum() > MOST_ENTRIES) {
            return Outcome.PRUNED;
        }
        return compare(response, question, certified.get(), version);
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
        Optional<Value> value = new Recomputation(
                        objects, key, type, response.certificate(), certified, between(certified, version))
                .value();
        if (value.isEmpty()) {
            return Outcome.CONTESTED;
        }
        return value.get().equals(response.result()) ? Outcome.MATCH : Outcome.DIFFERS;
    }

    private List<Entry> between(VersionVector after, VersionVector upTo) {
        List<Entry> entries = new ArrayList<>();
        for (int origin = 0; origin < upTo.size(); origin++) {
            for (long sequence = after.get(origin) + 1; sequence <= upTo.get(origin); sequence++) {
                Codec.decode(logs.of(origin).encoded(sequence), Entry.class)
                        .accepted()
                        .ifPresent(entries::add);
            }
        }
        return entries;
    }
}
