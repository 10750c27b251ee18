package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Request;
import org.aspas.client.core.ClientEvent.CertifiedValue;
import org.jspecify.annotations.Nullable;

/** What the application waits for: updates, reads, and questions for certificates. */
public final class PendingCalls {
    private final Updates updates;
    private final Reads reads;
    private final CertificateQueries queries;
    private final Rollback rollback;
    private final Servers servers;
    private final Step step;

    public PendingCalls(Updates updates, Reads reads, CertificateQueries queries, Servers servers, Step step) {
        this.updates = updates;
        this.reads = reads;
        this.queries = queries;
        this.rollback = new Rollback(reads, step);
        this.servers = servers;
        this.step = step;
    }

    Updates updates() {
        return updates;
    }

    Reads reads() {
        return reads;
    }

    CertificateQueries queries() {
        return queries;
    }

    public void submit(Event.Call call) {
        if (call instanceof Event.Update update) {
            updates.submit(update);
        } else if (call instanceof Event.ReadAsked read) {
            reads.submit(read);
        } else if (call instanceof Event.CertificateAsked asked) {
            queries.submit(asked);
        }
    }

    public void tick() {
        updates.tick();
        reads.tick();
        queries.tick();
    }

    /** After a switch: the new server is about to be given what is unconfirmed. */
    void resubmitted() {
        List<Request> unconfirmed = updates.unconfirmed();
        if (!unconfirmed.isEmpty()) {
            List<Long> numbers = unconfirmed.stream().map(Request::number).toList();
            step.happened(new ClientEvent.Resubmitted(numbers, servers.current()));
            rollback.begin(unconfirmed);
        }
    }

    /** The present server can be given everything that is open. */
    void connected() {
        updates.connected();
        reads.connected();
        queries.connected();
    }

    /** The connection is gone: what was sent and not answered has to be sent again. */
    public void disconnected() {
        updates.disconnected();
        reads.disconnected();
        queries.disconnected();
    }

    /** Fails what is pending, or says that it may take effect. */
    public void end(Failure why) {
        updates.end(why);
        reads.end(why);
        queries.end(why);
    }

    /** After a switch, fetches the certified values of the objects that unconfirmed updates touch (the protocol page, §9). */
    private static final class Rollback {
        private static final int MOST_OBJECTS = 64;

        /** The objects of one switch. */
        private static final class Round {
            final List<CertifiedValue> values = new ArrayList<>();
            boolean complete = true;
            int open;
        }

        private final Reads reads;
        private final Step step;
        private @Nullable Round newest;

        Rollback(Reads reads, Step step) {
            this.reads = reads;
            this.step = step;
        }

        /** Begins for the updates that are unconfirmed; an earlier round that is not over is given up. */
        void begin(List<Request> unconfirmed) {
            TreeMap<String, String> objects = new TreeMap<>();
            for (Request request : unconfirmed) {
                objects.putIfAbsent(request.key(), request.type());
            }
            if (objects.isEmpty()) {
                return;
            }
            Round round = new Round();
            newest = round;
            round.complete = objects.size() <= MOST_OBJECTS;
            round.open = Math.min(objects.size(), MOST_OBJECTS);
            objects.entrySet().stream()
                    .limit(MOST_OBJECTS)
                    .forEach(object -> fetch(round, object.getKey(), object.getValue()));
        }

        /** A refusal is no reason to leave: every switch begins a round, and one must not lead to the next. */
        private void fetch(Round round, String key, String type) {
            reads.submit(key, type, new Reads.Receiver() {
                @Override
                public void done(Effect.ReadDone result, boolean present) {
                    round.values.add(new CertifiedValue(key, type, result.value(), result.certificateNumber()));
                    finished(round);
                }

                @Override
                public void failed(Failure failure) {
                    round.complete = false;
                    finished(round);
                }
            });
        }

        private void finished(Round round) {
            round.open--;
            if (round.open > 0 || round != newest) {
                return;
            }
            newest = null;
            round.values.sort((a, b) -> a.key().compareTo(b.key()));
            CertificateNumber lowest = round.values.stream()
                    .map(CertifiedValue::certificate)
                    .min(Comparator.naturalOrder())
                    .orElse(CertificateNumber.NONE);
            step.happened(new ClientEvent.RolledBack(lowest, round.values, round.complete));
        }
    }
}
