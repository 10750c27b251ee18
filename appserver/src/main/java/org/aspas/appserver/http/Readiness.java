package org.aspas.appserver.http;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.port.LinkStatus;

/**
 * Whether clients should be sent here. A server has joined once it was linked to 2f other appservers and had all that
 * they told of; that is remembered, because later absence of peers or a moment's lag is no reason to refuse clients
 * (paper §3.4: answers need nobody else). For the same reason a server that gets no certificates stays ready: it is
 * degraded, and says so, since all are when the back end is down, and a proxy would have nobody left. So is one whose base cannot
 * be written, for which nothing waits. Thread-safe.
 */
final class Readiness {
    /**
     * From when on a missing certificate is a trouble: twice what a lost leader of the bftservers costs (7 s, docs/security.md,
     * "Crashes").
     */
    private static final long LATE_MILLIS = 15_000;

    private final LinkStatus links;
    private final EntryStore store;
    private final AtomicBoolean joined = new AtomicBoolean();

    Readiness(LinkStatus links, EntryStore store) {
        this.links = links;
        this.store = store;
    }

    /** Whether the server has joined, now or before. */
    boolean joined(CoreStatus status) {
        if (!joined.get() && status.caughtUp() && links.joined()) {
            joined.set(true);
        }
        return joined.get();
    }

    boolean ready(CoreStatus status) {
        return joined(status)
                && status.ready()
                && !draining(status)
                && store.trouble().isEmpty();
    }

    private static boolean draining(CoreStatus status) {
        return gauge(status, "draining") > 0;
    }

    /** What is wrong although clients are served, in words for people; empty while all is well. */
    Optional<String> degraded(CoreStatus status) {
        Optional<String> base = store.baseTrouble()
                .map(why ->
                        "base: what is certified cannot be written into it, and the journal grows meanwhile: " + why);
        Optional<String> late = uncertified(status);
        return late.isPresent() && base.isPresent() ? Optional.of(late.get() + "; " + base.get()) : late.or(() -> base);
    }

    /** What is wrong with the certificates; empty while they come. */
    private Optional<String> uncertified(CoreStatus status) {
        long overdue = gauge(status, "certificate_overdue_millis");
        long ownWait = gauge(status, "oldest_uncertified_own_millis");
        if (overdue < LATE_MILLIS && ownWait < LATE_MILLIS) {
            return Optional.empty();
        }
        String what = overdue < LATE_MILLIS
                ? "certificates come, and this server's own entries have waited for one for " + seconds(ownWait)
                : "no certificate for " + seconds(overdue) + " although entries wait";
        return Optional.of(what + "; links up: " + linked("bftservers") + " to bftservers, " + linked("appservers")
                + " to other appservers; updates are answered, and not confirmed");
    }

    private static long gauge(CoreStatus status, String name) {
        return status.gauges().getOrDefault(name, 0L);
    }

    private static String seconds(long millis) {
        return TimeUnit.MILLISECONDS.toSeconds(millis) + " s";
    }

    private long linked(String role) {
        return links.counts().getOrDefault(role + "Linked", 0L);
    }

    /** One line. */
    String brief(CoreStatus status) {
        if (!ready(status)) {
            return "not ready: " + obstacle(status) + "\n";
        }
        return degraded(status).map(why -> "degraded: " + why).orElse("ok") + "\n";
    }

    private String obstacle(CoreStatus status) {
        Optional<String> disk = store.trouble();
        if (disk.isPresent()) {
            return "disk: nothing can be stored, and updates wait: " + disk.get();
        }
        if (draining(status)) {
            return "draining: the server is about to end, and its clients go on at others";
        }
        if (!status.ready()) {
            return status.why().isEmpty() ? "the server cannot vouch for its state" : status.why();
        }
        if (status.gauges().containsKey("snapshot_permille")) {
            return "the server gets the certified state from others: "
                    + status.gauges().get("snapshot_permille") / 10 + " % of the snapshot at certificate "
                    + status.gauges().get("snapshot_certificate");
        }
        return links.joined()
                ? "the server has not caught up with the others yet"
                : "too few links to other appservers (" + linked("appservers") + ")";
    }

    /** One line for each condition. */
    String verbose(CoreStatus status) {
        return check("joined", joined(status))
                + check("linked", links.joined())
                + check("caught-up", status.caughtUp())
                + check("disk", store.trouble().isEmpty())
                + check("vouches-for-state", status.ready())
                + check("certified", uncertified(status).isEmpty())
                + check("base", store.baseTrouble().isEmpty())
                + brief(status).replaceFirst("^ok", "ready");
    }

    private static String check(String name, boolean passed) {
        return (passed ? "[+]" : "[-]") + name + (passed ? " ok\n" : " failed\n");
    }
}
