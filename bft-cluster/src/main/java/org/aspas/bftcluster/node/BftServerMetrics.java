package org.aspas.bftcluster.node;

import java.util.Collection;
import java.util.List;
import org.aspas.bftcluster.link.LinkCounters;
import org.aspas.bftcluster.telemetry.NodeMetrics;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;

/** What a bftserver tells Prometheus. Thread-safe. */
public final class BftServerMetrics {
    private final BftServer server;
    private final Collection<NodeId> others;
    private final NodeMetrics metrics;

    public BftServerMetrics(BftServer server, NodeId self, Collection<NodeId> others) {
        this.server = server;
        this.others = others;
        this.metrics = new NodeMetrics(self);
    }

    public synchronized String read() {
        metrics.flag("aspas.ready", "1 while the replica takes part in the ordering.", server.isReady());
        metrics.flag("aspas.signs", "1 while it has its durable record and can write it.", server.signs());
        metrics.gauge("aspas.leader", "The replica that leads the order; -1 before it takes part.", server.leader());
        metrics.gauge(
                "aspas.certificate.number",
                "The newest certificate that this node knows.",
                server.certificate().value());
        metrics.gauge("aspas.ordered.time.ticks", "The present step of ordered time.", server.tick());
        metrics.gauge(
                "aspas.store.tail.cut.bytes",
                "How many bytes of an interrupted write its start cut off.",
                server.tailCutBytes());
        long since = System.nanoTime() - StepDurations.GAUGE_NANOS;
        metrics.lag(LagStep.of(Role.BFTSERVER), StepDurations.together(List.of(server.lag()), since));
        metrics.links(others, others.stream().filter(server::isConnected).toList());
        traffic(server.linkCounters());
        metrics.signatures(server.signatures());
        metrics.traces(server.traces(), 0);
        return metrics.read();
    }

    private void traffic(LinkCounters counters) {
        String frames = "Frames on links.";
        metrics.count("aspas.link.frames", frames, counters.framesIn(), "direction", "in");
        metrics.count("aspas.link.frames", frames, counters.framesOut(), "direction", "out");
        String bytes = "Bytes of frames on links, without lengths and TLS.";
        metrics.count("aspas.link.bytes", bytes, counters.bytesIn(), "direction", "in");
        metrics.count("aspas.link.bytes", bytes, counters.bytesOut(), "direction", "out");
        String rejected = "What links did not take.";
        metrics.count("aspas.link.rejections", rejected, counters.handshakesRejected(), "why", "handshakes_rejected");
        metrics.count("aspas.link.rejections", rejected, counters.oversizedFrames(), "why", "oversized_frames");
        metrics.count("aspas.link.rejections", rejected, counters.connectionsRefused(), "why", "connections_refused");
        metrics.count("aspas.link.rejections", rejected, counters.sendsRefused(), "why", "sends_refused");
        metrics.count("aspas.link.rejections", rejected, counters.dialsFailed(), "why", "dials_failed");
    }
}
