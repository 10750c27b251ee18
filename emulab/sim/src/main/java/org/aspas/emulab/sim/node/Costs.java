package org.aspas.emulab.sim.node;

import java.util.HashMap;
import java.util.Map;

/**
 * What work costs on some machine, in nanoseconds of one core. All sizes are in bytes but those of two kinds of steps
 * ({@link StepKind}).
 *
 * @param sign a signature, by the length of the signed text
 * @param verify the verification of a signature, by the length of the text
 * @param linkSend sending a frame over a link between servers, with TLS
 * @param serverSend sending a frame to a client, with WebSocket and Akka, at the appserver
 * @param clientSend sending a frame to the appserver at the client
 * @param order what the ordering library does at one bftserver for one command
 * @param steps the steps of the cores by kind, without the signatures that are made and verified in them
 */
public record Costs(
        Linear sign,
        Linear verify,
        Linear encode,
        Linear decode,
        Linear linkSend,
        Linear linkReceive,
        Linear serverSend,
        Linear serverReceive,
        Linear clientSend,
        Linear clientReceive,
        Linear order,
        Map<String, Linear> steps) {
    public static final Costs FREE = new Costs(
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Linear.FREE,
            Map.of());

    public Costs {
        steps = Map.copyOf(steps);
    }

    /** The same, and what one kind of step costs. */
    public Costs with(String kind, Linear cost) {
        Map<String, Linear> more = new HashMap<>(steps);
        more.put(kind, cost);
        return new Costs(
                sign,
                verify,
                encode,
                decode,
                linkSend,
                linkReceive,
                serverSend,
                serverReceive,
                clientSend,
                clientReceive,
                order,
                more);
    }

    /**
     * What a step costs. One of a kind that was not measured costs what the mean of its party's steps does.
     *
     * @param kind as {@link StepKind} names it
     * @param size as {@link StepKind} counts it
     */
    public long step(String kind, long size) {
        Linear known = steps.get(kind);
        return known != null
                ? known.of(size)
                : steps.getOrDefault(StepKind.other(kind), Linear.FREE).of(0);
    }
}
