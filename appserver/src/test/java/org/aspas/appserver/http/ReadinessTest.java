package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.port.LinkStatus;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    /** Links of which the test says how many there are. */
    private static final class Links implements LinkStatus {
        long appservers = 3;
        long bftservers = 4;

        @Override
        public boolean joined() {
            return appservers >= 2;
        }

        @Override
        public SortedMap<String, Long> counts() {
            return new TreeMap<>(Map.of("appserversLinked", appservers, "bftserversLinked", bftservers));
        }
    }

    private final Links links = new Links();
    private final Store store = new Store();
    private final Readiness readiness = new Readiness(links, store);

    /** A store that keeps nothing, on a disk that may take nothing. */
    private static final class Store implements EntryStore {
        String trouble = "";
        String baseTrouble = "";

        @Override
        public Optional<String> trouble() {
            return Optional.of(trouble).filter(why -> !why.isEmpty());
        }

        @Override
        public Optional<String> baseTrouble() {
            return Optional.of(baseTrouble).filter(why -> !why.isEmpty());
        }

        @Override
        public StoreState state() {
            return StoreState.GOOD;
        }

        @Override
        public StoredHistory records() {
            return StoredHistory.of(List.of());
        }

        @Override
        public boolean append(Ticket ticket, byte[] record, Progress progress) {
            return true;
        }

        @Override
        public CompletionStage<String> failure() {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    private static CoreStatus status(Map<String, Long> gauges, boolean caughtUp, ServerState state, String why) {
        return new CoreStatus(
                VersionVector.zero(4),
                CertificateNumber.NONE,
                VersionVector.zero(4),
                new TreeMap<>(gauges),
                new TreeMap<>(),
                caughtUp,
                state,
                why,
                List.of());
    }

    private static CoreStatus serving(long overdueMillis, long ownWaitMillis) {
        return status(
                Map.of("certificate_overdue_millis", overdueMillis, "oldest_uncertified_own_millis", ownWaitMillis),
                true,
                ServerState.SERVING,
                "");
    }

    @Test
    void aServerIsReadyWhileCertificatesAreOnlySlow() {
        assertThat(readiness.brief(serving(0, 0))).isEqualTo("ok\n");
        assertThat(readiness.brief(serving(14_999, 14_999))).isEqualTo("ok\n");
        assertThat(readiness.verbose(serving(0, 0)))
                .contains("[+]certified ok\n")
                .endsWith("\nready\n");
    }

    @Test
    void aServerWithoutCertificatesIsReadyAndSaysWhatIsWrong() {
        links.bftservers = 1;
        CoreStatus late = serving(42_300, 42_300);
        assertThat(readiness.ready(late)).isTrue();
        assertThat(readiness.brief(late))
                .isEqualTo("degraded: no certificate for 42 s although entries wait; links up: 1 to bftservers, 3 to"
                        + " other appservers; updates are answered, and not confirmed\n");
        assertThat(readiness.verbose(late)).contains("[-]certified failed\n", "\ndegraded: no certificate for 42 s");
    }

    @Test
    void aServerWhoseOwnEntriesWaitWhileOthersAreCertifiedSaysSo() {
        CoreStatus alone = serving(300, 15_000);
        assertThat(readiness.ready(alone)).isTrue();
        assertThat(readiness.brief(alone))
                .startsWith("degraded: certificates come, and this server's own entries have waited for one for 15 s;");
    }

    @Test
    void aServerWhoseBaseCannotBeWrittenIsReadyAndSaysSo() {
        store.baseTrouble = "Read-only file system";
        assertThat(readiness.ready(serving(0, 0))).isTrue();
        assertThat(readiness.brief(serving(0, 0)))
                .isEqualTo(
                        "degraded: base: what is certified cannot be written into it, and the journal grows meanwhile:"
                                + " Read-only file system\n");
        assertThat(readiness.verbose(serving(0, 0))).contains("[+]certified ok\n", "[-]base failed\n", "[+]disk ok\n");
        assertThat(readiness.brief(serving(300, 15_000)))
                .startsWith("degraded: certificates come, and this server's own entries have waited")
                .endsWith("; base: what is certified cannot be written into it, and the journal grows meanwhile:"
                        + " Read-only file system\n");
        store.baseTrouble = "";
        assertThat(readiness.brief(serving(0, 0))).isEqualTo("ok\n");
        assertThat(readiness.verbose(serving(0, 0))).contains("[+]base ok\n");
    }

    @Test
    void aServerThatIsAboutToEndIsNotReady() {
        CoreStatus ending = status(Map.of("draining", 1L), true, ServerState.SERVING, "");
        assertThat(readiness.ready(ending)).isFalse();
        assertThat(readiness.brief(ending)).startsWith("not ready: draining: ");
        assertThat(readiness.ready(serving(0, 0))).isTrue();
    }

    @Test
    void aServerThatIsNotReadySaysWhy() {
        links.appservers = 1;
        CoreStatus fresh = serving(0, 0);
        assertThat(readiness.ready(fresh)).isFalse();
        assertThat(readiness.brief(fresh)).isEqualTo("not ready: too few links to other appservers (1)\n");
        links.appservers = 2;
        assertThat(readiness.brief(status(Map.of(), false, ServerState.SERVING, "")))
                .isEqualTo("not ready: the server has not caught up with the others yet\n");
        assertThat(readiness.brief(fresh)).isEqualTo("ok\n");
        assertThat(readiness.brief(status(Map.of(), true, ServerState.EXCLUDED, "certificate 7 excludes it")))
                .isEqualTo("not ready: certificate 7 excludes it\n");
    }

    @Test
    void aServerWhoseDiskTakesNothingIsNotReadyUntilItDoes() {
        assertThat(readiness.ready(serving(0, 0))).isTrue();
        store.trouble = "No space left on device";
        assertThat(readiness.ready(serving(0, 0))).isFalse();
        assertThat(readiness.brief(serving(0, 0)))
                .isEqualTo("not ready: disk: nothing can be stored, and updates wait: No space left on device\n");
        assertThat(readiness.verbose(serving(0, 0))).contains("[-]disk failed");
        store.trouble = "";
        assertThat(readiness.brief(serving(0, 0))).isEqualTo("ok\n");
        assertThat(readiness.verbose(serving(0, 0))).contains("[+]disk ok");
    }
}
