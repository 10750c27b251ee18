package org.aspas.appserver.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.core.state.TauBucket;
import org.aspas.appserver.port.LinkStatus;
import org.aspas.appserver.trace.AppServerSpans;
import org.aspas.bftcluster.telemetry.NodeMetrics;
import org.aspas.bftcluster.telemetry.TracingCounts;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;

/** What an appserver tells Prometheus: its core's plain counters, and those of its listeners, store and links. Thread-safe. */
final class AppServerMetrics {
    private static final double MILLIS_PER_SECOND = 1000;
    private static final String REFUSED = "refused_";
    private static final String ALARMS = "alarms";

    /** Gauges of the core that have a metric of their own. */
    private static final Set<String> OWN_NAMES = Set.of(
            "uncertified_entries",
            "uncertified_own_entries",
            "oldest_uncertified_own_millis",
            "certificate_overdue_millis",
            "certificate_age_millis",
            "sessions",
            "unconfirmed_p50",
            "unconfirmed_p99",
            "unconfirmed_most",
            "draining");

    private static final List<String> REJECTED = List.of(
            "handshakesRejected",
            "oversizedFrames",
            "connectionsRefused",
            "malformedFrames",
            "forgedFrames",
            "sendsRefused",
            "dialsFailed",
            "oversizedMessages");

    private final ServerIdentity identity;
    private final Readiness readiness;
    private final LinkStatus links;
    private final List<NodeId> others;
    private final NodeMetrics metrics;

    AppServerMetrics(ServerIdentity identity, Readiness readiness, LinkStatus links) {
        NodeId self = NodeId.appserver(identity.index());
        this.identity = identity;
        this.readiness = readiness;
        this.links = links;
        this.others = identity.descriptor().nodes().stream()
                .map(NodeDescription::id)
                .filter(node -> !node.equals(self))
                .toList();
        this.metrics = new NodeMetrics(self);
    }

    /** The present figures, as Prometheus reads them. */
    synchronized String read(CoreStatus status, HttpCounts http) {
        condition(status);
        certification(status);
        clients(status);
        events(status);
        listeners(http);
        store();
        traffic(links.counts());
        metrics.links(others, links.linked());
        metrics.signatures(identity.signatures().read());
        AppServerSpans spans = identity.spans();
        if (spans == null) {
            metrics.traces(TracingCounts.NONE, 0);
        } else {
            spans.measure(metrics);
        }
        return metrics.read();
    }

    private void condition(CoreStatus status) {
        metrics.flag("aspas.ready", "1 while clients should be sent here.", readiness.ready(status));
        metrics.flag(
                "aspas.joined", "1 once it was linked to enough others and had caught up.", readiness.joined(status));
        metrics.flag(
                "aspas.degraded",
                "1 while it answers, and no certificate has come for long, or its base cannot be written.",
                readiness.degraded(status).isPresent());
        metrics.flag("aspas.draining", "1 when it is about to end.", gauge(status, "draining") > 0);
        for (ServerState state : ServerState.values()) {
            metrics.flag(
                    "aspas.state",
                    "1 for the state that it is in.",
                    status.state() == state,
                    "state",
                    state.name().toLowerCase(Locale.ROOT));
        }
        metrics.gauge(
                "aspas.excluded",
                "Appservers and clients that are out.",
                status.blacklist().size());
    }

    private void certification(CoreStatus status) {
        metrics.gauge(
                "aspas.certificate.number",
                "The newest certificate that this node knows.",
                status.certificate().value());
        for (int origin = 0; origin < status.version().size(); origin++) {
            String log = "appserver-" + origin;
            metrics.count(
                    "aspas.entries.delivered",
                    "Entries delivered.",
                    status.version().get(origin),
                    "origin",
                    log);
            metrics.count(
                    "aspas.entries.certified",
                    "Entries certified.",
                    status.certified().get(origin),
                    "origin",
                    log);
        }
        metrics.gauge(
                "aspas.uncertified.entries",
                "Entries delivered that no certificate covers.",
                gauge(status, "uncertified_entries"));
        metrics.gauge(
                "aspas.uncertified.own.entries",
                "Own entries that no certificate covers.",
                gauge(status, "uncertified_own_entries"));
        seconds(status, "oldest_uncertified_own", "How long its oldest own entry has waited for a certificate.");
        seconds(status, "certificate_overdue", "For how long something has waited without any certificate.");
        seconds(status, "certificate_age", "How long ago it adopted the newest certificate.");
        metrics.lag(LagStep.of(Role.APPSERVER), StepDurations.read(name -> gauge(status, name)));
    }

    private void seconds(CoreStatus status, String gauge, String help) {
        metrics.gauge(
                "aspas." + gauge.replace('_', '.') + ".seconds",
                help,
                gauge(status, gauge + "_millis") / MILLIS_PER_SECOND);
    }

    private void clients(CoreStatus status) {
        for (TauBucket bucket : TauBucket.values()) {
            metrics.gauge(
                    "aspas.sessions",
                    "Clients that have a session, by their tau.",
                    gauge(status, bucket.sessionsGauge()),
                    "tau",
                    bucket.label());
            metrics.gauge(
                    "aspas.unconfirmed.updates",
                    "Updates that this server entered for clients with a session and no certificate covers, by tau.",
                    gauge(status, bucket.unconfirmedGauge()),
                    "tau",
                    bucket.label());
        }
        for (Map.Entry<String, String> one : Map.of(
                        "0.5", "unconfirmed_p50", "0.99", "unconfirmed_p99", "1", "unconfirmed_most")
                .entrySet()) {
            metrics.gauge(
                    "aspas.unconfirmed.updates.per.client",
                    "The same of one client.",
                    gauge(status, one.getValue()),
                    "quantile",
                    one.getKey());
        }
    }

    /** All else that the core counts, and its sizes, under the names that /v1/status has for them. */
    private void events(CoreStatus status) {
        String refusals = "What the core refused, by reason.";
        metrics.count("aspas.refusals", refusals, 0, "reason", "none");
        status.counters().forEach((name, count) -> {
            if (name.startsWith(REFUSED)) {
                metrics.count("aspas.refusals", refusals, count, "reason", name.substring(REFUSED.length()));
            } else if (!name.equals(ALARMS)) {
                metrics.count("aspas.events", "What the core counts, by its name in /v1/status.", count, "event", name);
            }
        });
        metrics.count(
                "aspas.alarms",
                "Alarms: it cannot vouch for its own state.",
                status.counters().getOrDefault(ALARMS, 0L));
        status.gauges().forEach((name, size) -> {
            if (!OWN_NAMES.contains(name) && !name.startsWith("lag_") && !name.contains("_tau_")) {
                metrics.gauge("aspas.size", "What the core measures, by its name in /v1/status.", size, "gauge", name);
            }
        });
    }

    private void listeners(HttpCounts http) {
        metrics.count("aspas.sessions.opened", "Connections of clients accepted.", http.sessionsOpened());
        metrics.count("aspas.sessions.closed", "Of those, ended.", http.sessionsClosed());
        metrics.count("aspas.client.frames", "Frames taken from clients.", http.framesReceived());
        metrics.count("aspas.http.requests", "HTTP requests answered.", http.requests());
        metrics.count("aspas.http.problems", "Of those, with a problem document.", http.problems());
        metrics.count("aspas.watch.opened", "Streams of /v1/watch opened.", http.streamsOpened());
        metrics.count("aspas.watch.closed", "Of those, ended.", http.streamsClosed());
        metrics.count("aspas.watch.dropped", "Events that slow readers of them lost.", http.eventsDropped());
        rejected("malformed_frames", http.malformedFrames());
        rejected("oversized_frames", http.oversizedFrames());
        rejected("text_frames", http.textFrames());
        rejected("bad_signatures", http.badSignatures());
        rejected("slow_clients", http.slowClients());
        rejected("strangers_ended", http.strangersEnded());
        rejected("connections_ended", http.connectionsEnded());
        rejected("handshakes_failed", http.handshakesFailed());
        rejected("unreadable_requests", http.unreadableRequests());
    }

    private void rejected(String why, long count) {
        metrics.count("aspas.client.rejections", "What the clients' listeners refused.", count, "why", why);
    }

    private void store() {
        metrics.flag(
                "aspas.store.failing",
                "1 while nothing can be stored: updates wait.",
                identity.store().trouble().isPresent());
        metrics.flag(
                "aspas.store.base.failing",
                "1 while the base cannot be written: the journal grows.",
                identity.store().baseTrouble().isPresent());
        metrics.gauge(
                "aspas.store.tail.cut.bytes",
                "How many bytes of an interrupted write its start cut off.",
                identity.store().tailCutBytes());
    }

    private void traffic(SortedMap<String, Long> counts) {
        for (String direction : List.of("In", "Out")) {
            String label = direction.toLowerCase(Locale.ROOT);
            metrics.count(
                    "aspas.link.frames",
                    "Frames on links.",
                    counts.getOrDefault("frames" + direction, 0L),
                    "direction",
                    label);
            metrics.count(
                    "aspas.link.bytes",
                    "Bytes of frames on links, without lengths and TLS.",
                    counts.getOrDefault("bytes" + direction, 0L),
                    "direction",
                    label);
        }
        for (String why : REJECTED) {
            metrics.count(
                    "aspas.link.rejections",
                    "What links did not take.",
                    counts.getOrDefault(why, 0L),
                    "why",
                    JsonForms.snakeCase(why));
        }
    }

    private static long gauge(CoreStatus status, String name) {
        return status.gauges().getOrDefault(name, 0L);
    }
}
