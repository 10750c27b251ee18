package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;

/**
 * SHARE: whatever an appserver sends, a bftserver has at most one report, one answer and four verdicts of it on their way
 * into the order. One that was submitted so long ago that it may be lost does not count.
 */
final class FairShares extends Invariant {
    /** After this long a bftserver whose clock is a tenth too fast may take a command for lost, in microseconds. */
    private static final long LOST = 350_000;

    private static final int VERDICTS = 4;

    private record Way(int replica, int server, Kind kind) {}

    /** When each command that has not come out ordered was submitted last. */
    private final Map<Way, Map<Hash, Long>> underWay = new HashMap<>();

    FairShares() {
        super("SHARE");
        on(Fact.Relayed.class, this::relayed);
        on(
                Fact.Ordered.class,
                fact -> underWay.forEach((way, commands) -> {
                    if (way.replica() == fact.replica()) {
                        commands.remove(fact.command().hash());
                    }
                }));
        on(Fact.ReplicaCrashed.class, fact -> underWay.keySet().removeIf(way -> way.replica() == fact.replica()));
    }

    private void relayed(Fact.Relayed fact) {
        Kind kind = fact.command()
                .frame()
                .map(frame -> ((Frame.Sealed) frame).signed().message().kind())
                .orElseThrow();
        Way way = new Way(fact.replica(), fact.server(), kind);
        Map<Hash, Long> commands = underWay.computeIfAbsent(way, any -> new HashMap<>());
        commands.values().removeIf(since -> fact.micros() - since >= LOST);
        commands.put(fact.command().hash(), fact.micros());
        if (commands.size() > (kind == Kind.VERDICT ? VERDICTS : 1)) {
            violated("bftserver " + fact.replica() + " has " + commands.size() + " commands " + kind + " of appserver "
                    + fact.server() + " on their way into the order");
        }
    }
}
