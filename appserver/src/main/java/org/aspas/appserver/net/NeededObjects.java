package org.aspas.appserver.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;

/** Which objects the core will look at because of an event, and whose order the event belongs to. */
final class NeededObjects {
    private NeededObjects() {}

    /** The keys of the objects, as far as the event tells them. Nobody has verified what strangers claim. */
    static List<String> of(Event event) {
        if (event instanceof Event.ClientFrame client) {
            return of(client.frame().message());
        }
        if (event instanceof Event.NodeBatch node) {
            return of(node.batch());
        }
        return List.of();
    }

    private static List<String> of(Message message) {
        if (message instanceof Request request) {
            return List.of(request.key());
        }
        if (message instanceof Read read) {
            return List.of(read.key());
        }
        return message instanceof Inspect inspect ? of(inspect.question()) : List.of();
    }

    private static List<String> of(Question question) {
        Read read = question.read();
        Signed<Request> update = question.update();
        if (read != null) {
            return of(read);
        }
        return update == null ? List.of() : of(update.message());
    }

    private static List<String> of(OpenBatch batch) {
        List<String> keys = new ArrayList<>();
        for (int place = 0; place < batch.batch().entries().size(); place++) {
            Optional<Entry> entry = batch.seen(place) ? batch.entry(place) : Optional.empty();
            entry.ifPresent(seen -> keys.addAll(of(seen.body().message())));
        }
        return keys;
    }

    /** The client or server that an event comes from, and whose events must keep their order; null for other events. */
    static @Nullable Object source(Event event) {
        if (event instanceof Event.ClientFrame client) {
            return client.connection();
        }
        if (event instanceof Event.ClientGone gone) {
            return gone.connection();
        }
        if (event instanceof Event.NodeFrame node) {
            return node.from();
        }
        if (event instanceof Event.NodeBatch node) {
            return node.from();
        }
        if (event instanceof Event.NodeConnected node) {
            return node.node();
        }
        return event instanceof Event.NodeGone node ? node.node() : null;
    }
}
