package org.aspas.appserver.http;

import java.util.concurrent.atomic.AtomicBoolean;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.port.LinkStatus;

/**
 * Whether clients should be sent here. A server has joined once it was linked to 2f other appservers and had all that
 * they told of; that is remembered, because later absence of peers or a moment's lag is no reason to refuse clients
 * (paper §3.4: answers need nobody else). Thread-safe.
 */
final class Readiness {
    private final LinkStatus links;
    private final AtomicBoolean joined = new AtomicBoolean();

    Readiness(LinkStatus links) {
        this.links = links;
    }

    /** Whether the server has joined, now or before. */
    boolean joined(CoreStatus status) {
        if (!joined.get() && status.caughtUp() && links.joined()) {
            joined.set(true);
        }
        return joined.get();
    }

    boolean ready(CoreStatus status) {
        return joined(status) && status.ready();
    }

    /** One line for each condition. */
    String verbose(CoreStatus status) {
        boolean ready = ready(status);
        return check("joined", joined(status))
                + check("linked", links.joined())
                + check("caught-up", status.caughtUp())
                + check("vouches-for-state", status.ready())
                + (ready ? "ready\n" : "not ready\n");
    }

    private static String check(String name, boolean passed) {
        return (passed ? "[+]" : "[-]") + name + (passed ? " ok\n" : " failed\n");
    }
}
