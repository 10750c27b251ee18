package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** Reports to the bftservers what is delivered here under signed heads. For one thread. */
final class VersionReporter extends CorePart {
    /**
     * The least pause between two reports, for each appserver: a report leads to a certificate, which costs all of them. Where a
     * certificate takes longer than that, the network sets the pace, and reports cost little.
     */
    private static final long IDLE_MILLIS = 12;

    /** The pause of a server that lacks time. */
    private static final long BUSY_MILLIS = 450;

    private final Logs logs;
    private VersionVector reported;
    private @Nullable Signed<VertObft> lastReport;
    private long reportedAt = Long.MIN_VALUE / 2;
    /** From the newest question to the adoption of the newest certificate. */
    private long certificateMillis;

    VersionReporter(CoreState context, Logs logs) {
        super(context);
        this.logs = logs;
        this.reported = VersionVector.zero(settings.quorums().appservers());
    }

    /**
     * Reports what is new; what comes soon after a report, or after a question, goes with the next one. The pause grows with the load.
     *
     * @param askedAt when the bftservers last asked for a stable state
     * @param certified the certified version: a report that is certified is not repeated
     */
    void report(long askedAt, VersionVector certified) {
        long now = time.now();
        boolean repeat = now - reportedAt >= settings.limits().repeatMillis() && !reported.equals(certified);
        long least = leastPause(certified.size());
        if (now - Math.max(reportedAt, askedAt) < time.pause(least, Math.max(least, BUSY_MILLIS))) {
            return;
        }
        List<Signed<Head>> heads = new ArrayList<>();
        long[] covering = new long[certified.size()];
        for (int origin = 0; origin < covering.length; origin++) {
            Optional<Signed<Head>> head = logs.of(origin).deliveredHead();
            if (head.isPresent()) {
                heads.add(head.get());
                covering[origin] = Math.min(
                        logs.of(origin).delivered(), head.get().message().size());
            }
        }
        VersionVector version = VersionVector.of(covering);
        // No head that is held may reach an excluded origin's cut: the machine reads that component at the cut in any
        // case.
        VersionVector covered = logs.cuts().clip(version);
        version = logs.cuts().fix(version);
        if (!heads.isEmpty() && (repeat || !version.equals(reported))) {
            reported = version;
            reportedAt = now;
            send(settings.sealer().seal(new VertObft(settings.index(), covered, heads)));
        }
    }

    private long leastPause(int appservers) {
        long pause = IDLE_MILLIS * appservers;
        long least = settings.limits().reportMillis();
        return certificateMillis > pause ? least : Math.max(least, pause);
    }

    /**
     * A certificate was adopted: the pause of reports follows how long it took.
     *
     * @param askedAt when the bftservers last asked for a stable state; in the far past where they never did
     */
    void adopted(long askedAt) {
        certificateMillis = time.now() - askedAt;
    }

    private void send(Signed<VertObft> report) {
        lastReport = report;
        settings.bftservers().forEach(replica -> outbox.node(replica, report));
        counters.count("reports");
    }

    /** A link to a bftserver came up: it may have missed the last report. */
    void connected(NodeId replica) {
        Signed<VertObft> last = lastReport;
        if (last != null) {
            outbox.node(replica, last);
        }
    }
}
