package org.aspas.client.core.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Request;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.ClientEvent.CertifiedValue;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.step.Step;
import org.jspecify.annotations.Nullable;

/** After a switch, fetches the certified values of the objects that unconfirmed updates touch (the protocol page, §9). */
public final class Rollback {
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

    public Rollback(Reads reads, Step step) {
        this.reads = reads;
        this.step = step;
    }

    /** Begins for the updates that are unconfirmed; an earlier round that is not over is given up. */
    public void begin(List<Request> unconfirmed) {
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
