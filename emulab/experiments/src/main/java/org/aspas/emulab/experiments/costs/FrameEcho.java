package org.aspas.emulab.experiments.costs;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.ObjectQueries;
import org.aspas.appserver.core.port.ServerState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Refusal;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * A machine that sends each frame of a peer back: what two appservers spend on that is what their shells cost, from the link
 * to the core's thread and back to the link. One of the two begins with some frames, and begins anew when none has come for a
 * second: frames are lost with a link that one end replaces. For the thread that drives it.
 */
final class FrameEcho implements AppServerMachine {
    private static final long LOST_AFTER_MILLIS = 1_000;

    private final CoreSettings settings;
    private final int begins;
    private final LongAdder frames;
    private final FrameLength length;
    private @Nullable NodeId peer;
    private long seen;
    private long seenMillis;

    /** How many bytes the frames have from now on. */
    static final class FrameLength {
        volatile int bytes;
    }

    /**
     * Counts in {@code frames} every frame that it sends back.
     *
     * @param begins how many frames it sends when an appserver is linked, or 0
     */
    FrameEcho(CoreSettings settings, int begins, LongAdder frames, FrameLength length) {
        this.settings = settings;
        this.begins = begins;
        this.frames = frames;
        this.length = length;
    }

    @Override
    public List<Effect> step(Event event) {
        List<Effect> effects = new ArrayList<>();
        if (event instanceof Event.NodeConnected connected) {
            peer = connected.node();
            begin(peer, effects);
        } else if (event instanceof Event.Tick tick && peer != null) {
            beginAnew(peer, tick.nowMillis(), effects);
        } else if (event instanceof Event.NodeFrame node
                && node.frame() instanceof Frame.Plain plain
                && plain.message() instanceof Refusal) {
            frames.increment();
            effects.add(back(node.from()));
        }
        return effects;
    }

    private void begin(NodeId other, List<Effect> effects) {
        for (int i = 0; i < begins; i++) {
            effects.add(new Effect.ToNode(other, text()));
        }
    }

    private void beginAnew(NodeId other, long nowMillis, List<Effect> effects) {
        long now = frames.sum();
        if (now != seen) {
            seen = now;
            seenMillis = nowMillis;
        } else if (nowMillis - seenMillis >= LOST_AFTER_MILLIS) {
            seenMillis = nowMillis;
            begin(other, effects);
        }
    }

    private Effect back(NodeId peer) {
        return new Effect.ToNode(peer, text());
    }

    /** Links carry any message, and nobody verifies this one. */
    private Refusal text() {
        return new Refusal(1, false, Refusal.Reason.BUSY, "x".repeat(length.bytes));
    }

    @Override
    public ObjectQueries objects() {
        return ObjectQueries.NONE;
    }

    @Override
    public CoreStatus status() {
        VersionVector nothing = VersionVector.zero(settings.quorums().appservers());
        return new CoreStatus(
                nothing,
                CertificateNumber.NONE,
                nothing,
                new TreeMap<>(),
                new TreeMap<>(),
                true,
                ServerState.SERVING,
                "",
                List.of());
    }
}
