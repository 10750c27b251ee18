package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.message.Request;
import org.aspas.client.core.ClientEvent.CertifiedValue;
import org.jspecify.annotations.Nullable;

/** After a switch, fetches the certified values of the objects that unconfirmed updates touch (the protocol page, §9). */
final class Rollback {
    private static final int MOST_OBJECTS = 64;

    /** The objects of one switch. */
    private static final class Round {
        final List<CertifiedValue> values = new ArrayList<>();
        boolean complete = true;
        int open;
    }

    private final Reads reads;
    private final Outbox outbox;
    private @Nullable Round newest;

    Rollback(Reads reads, Outbox outbox) {
        this.reads = reads;
        this.outbox = outbox;
    }

    /** Begins for the updates that are unconfirmed; an earlier round that is not over is given up. */
    void begin(Collection<PendingUpdate> unconfirmed) {
        TreeMap<String, String> objects = new TreeMap<>();
        for (PendingUpdate update : unconfirmed) {
            Request request = update.request();
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

    private void fetch(Round round, String key, String type) {
        reads.submit(key, type, true, new Reads.Receiver() {
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

            @Override
            public boolean insists() {
                return false; // Every switch begins a round: one must not lead to the next.
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
        long lowest = round.values.stream()
                .mapToLong(CertifiedValue::certificate)
                .min()
                .orElse(0);
        outbox.happened(new ClientEvent.RolledBack(lowest, round.values, round.complete));
    }
}
