package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.replica.Command;
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
    }

    @Override
    public void onRelayed(int replica, int server, Command command, long micros) {
        Kind kind = command.frame()
                .map(frame -> ((Frame.Sealed) frame).signed().message().kind())
                .orElseThrow();
        Map<Hash, Long> commands = underWay.computeIfAbsent(new Way(replica, server, kind), any -> new HashMap<>());
        commands.values().removeIf(since -> micros - since >= LOST);
        commands.put(command.hash(), micros);
        if (commands.size() > (kind == Kind.VERDICT ? VERDICTS : 1)) {
            violated("bftserver " + replica + " has " + commands.size() + " commands " + kind + " of appserver "
                    + server + " on their way into the order");
        }
    }

    @Override
    public void onOrdered(int replica, Command command) {
        underWay.forEach((way, commands) -> {
            if (way.replica() == replica) {
                commands.remove(command.hash());
            }
        });
    }

    @Override
    public void onReplicaCrashed(int replica) {
        underWay.keySet().removeIf(way -> way.replica() == replica);
    }
}
