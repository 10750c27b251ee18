package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.aspas.emulab.console.feed.ConsoleState;

/** Publishes what clients did and how they are. For one thread. */
final class ClientFeed {
    private final ConsoleState state;
    private final OperationTally tally;
    private final List<ClientClass> classes;
    private final List<String> classOfClient;
    private final int servers;
    private long before = System.nanoTime();

    ClientFeed(
            ConsoleState state,
            OperationTally tally,
            List<ClientClass> classes,
            List<String> classOfClient,
            int servers) {
        this.state = state;
        this.tally = tally;
        this.classes = classes;
        this.classOfClient = classOfClient;
        this.servers = servers;
    }

    void publish() {
        operations();
        classes();
    }

    private void operations() {
        long now = System.nanoTime();
        ObjectNode event = state.timed().put("millis", TimeUnit.NANOSECONDS.toMillis(now - before));
        before = now;
        ArrayNode all = event.putArray("servers");
        for (int server = 0; server < servers; server++) {
            OperationTally.Counts counts = tally.at(server);
            all.addObject()
                    .put("server", "appserver-" + server)
                    .put("updates", counts.updates.sumThenReset())
                    .put("reads", counts.reads.sumThenReset())
                    .put("confirmed", counts.confirmed.sumThenReset())
                    .put("failed", counts.failed.sumThenReset());
        }
        ArrayNode samples = event.putArray("samples");
        for (OperationTally.Sample one : tally.takeSamples()) {
            samples.addObject()
                    .put("server", "appserver-" + one.server())
                    .put("client", one.client())
                    .put("class", classOfClient.get(one.client()))
                    .put("kind", one.kind().name().toLowerCase(Locale.ROOT))
                    .put("key", one.key())
                    .put("millis", tenths(one.nanos()));
        }
        state.publish("operations", event);
    }

    private void classes() {
        ObjectNode event = state.timed();
        ArrayNode all = event.putArray("classes");
        for (ClientClass one : classes) {
            ClientClass.Picture now = one.take();
            ObjectNode fields = all.addObject()
                    .put("id", one.id())
                    .put("label", one.label())
                    .put("clients", one.size());
            if (one.tolerance().tolerance() == 0) {
                fields.putNull("tau");
            } else {
                fields.put("tau", one.tolerance().tolerance());
            }
            fields.put("waiting", now.waiting());
            ratio(fields, "waited", now.waited(), now.updates());
            fields.put("unconfirmed", now.unconfirmed())
                    .put("exposure", now.exposure())
                    .put("updates", now.updates())
                    .put("answered", now.answered());
            if (now.answered() == 0) {
                fields.putNull("answerMillis");
            } else {
                fields.put("answerMillis", tenths(now.answerNanos() / now.answered()));
            }
        }
        state.publish("classes", event);
    }

    private static void ratio(ObjectNode fields, String name, long part, long whole) {
        if (whole == 0) {
            fields.putNull(name);
        } else {
            fields.put(name, Math.min(1, Math.round(1000.0 * part / whole) / 1000.0));
        }
    }

    /** Milliseconds with one digit behind the point. */
    static double tenths(long nanos) {
        return Math.round(nanos / 100_000.0) / 10.0;
    }
}
