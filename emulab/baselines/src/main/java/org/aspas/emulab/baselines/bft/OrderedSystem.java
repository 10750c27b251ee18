package org.aspas.emulab.baselines.bft;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LedgerComparison;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.ToleranceClass;

/** A system whose replicas are driven by a total order. Thread-safe. */
public final class OrderedSystem implements SystemUnderTest {
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 50;

    private final String name;
    private final OrderedReplicas replicas;
    private final Access access;

    /** How clients reach the replicas. */
    record Access(
            Function<SessionSettings, CompletionStage<? extends StoreSession>> open,
            BooleanSupplier ready,
            Runnable close) {}

    OrderedSystem(String name, OrderedReplicas replicas, Access access) {
        this.name = name;
        this.replicas = replicas;
        this.access = access;
    }

    @Override
    public String name() {
        return name;
    }

    public OrderedReplicas replicas() {
        return replicas;
    }

    @Override
    public CompletionStage<? extends StoreSession> open(SessionSettings settings) {
        return access.open().apply(settings);
    }

    @Override
    public void awaitServing(Duration patience) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!replicas.ready() || !access.ready().getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException(
                        "the replicas of " + name + " are not ready after " + patience.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Waits until all running replicas have one state, and asks for every value. */
    @Override
    public Convergence converge(Ledger ledger, Duration patience) throws InterruptedException {
        LedgerComparison comparison = new LedgerComparison(ledger, ANSWER);
        int running = replicas.states().size();
        long deadline = System.nanoTime() + patience.toNanos();
        while (replicas.states().stream().map(ByteBuffer::wrap).distinct().count() > 1) {
            if (System.nanoTime() - deadline > 0) {
                comparison.differs("the replicas have different states after " + patience.toSeconds() + " s");
                return comparison.result(running, 0, 0);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        StoreSession session = comparison.await(
                name, "session", open(new SessionSettings(0, ToleranceClass.TAU_UNBOUNDED, Duration.ZERO)));
        boolean asked = session != null && comparison.compare(name, session::counter, session::set);
        if (session != null) {
            session.close();
        }
        return comparison.result(running, asked ? running : 0, 0);
    }

    @Override
    public void close() {
        access.close().run();
        replicas.close();
    }
}
