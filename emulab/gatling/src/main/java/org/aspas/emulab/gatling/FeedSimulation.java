package org.aspas.emulab.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.aspas.certify.identity.Descriptor;
import org.jspecify.annotations.Nullable;

/**
 * The social feed for Gatling, which makes an instance of this by its name. What it is to do is told to the class before,
 * by {@link #prepare}.
 */
public final class FeedSimulation extends Simulation {
    private static final double P99 = 99;

    /** How long after the last operation the run is ended whatever users do. */
    private static final Duration GRACE = FeedScript.PATIENCE.plusSeconds(10);

    private static final int UNASKED_FRAMES = 10_000;
    private static final AtomicReference<@Nullable Told> TOLD = new AtomicReference<>();

    private record Told(FeedPlan plan, VerificationCounts counts) {}

    private final RunClock clock;

    /**
     * The simulation of the plan that was told last.
     *
     * @throws IllegalStateException when none was
     */
    public FeedSimulation() {
        Told told = TOLD.get();
        if (told == null) {
            throw new IllegalStateException("this simulation is started by ./aspas gatling");
        }
        FeedPlan plan = told.plan;
        clock = new RunClock(plan.load());
        ScenarioBuilder users = scenario("social feed").exec(script(told).visit());
        setUp(arriving(users, plan.load()))
                .protocols(protocol())
                .assertions(assertions(plan))
                .maxDuration(plan.load().whole().plus(GRACE));
    }

    /**
     * Tells what the next simulation is to do.
     *
     * @return counts what the clients of its users verify
     */
    static VerificationCounts prepare(FeedPlan plan) {
        VerificationCounts counts = new VerificationCounts();
        TOLD.set(new Told(plan, counts));
        return counts;
    }

    private FeedScript script(Told told) {
        FeedPlan plan = told.plan;
        if (plan.transport() == FeedPlan.Transport.HTTP) {
            return new HttpScript(plan, clock);
        }
        Descriptor descriptor = plan.target().descriptor().orElseThrow();
        return new WebSocketScript(plan, clock, new VirtualClients(descriptor, told.counts));
    }

    private static PopulationBuilder arriving(ScenarioBuilder users, FeedPlan.Load load) {
        return load.users().isPresent()
                ? users.injectClosed(
                        constantConcurrentUsers(load.users().getAsInt()).during(load.whole()))
                : users.injectOpen(constantUsersPerSec(load.rate()).during(load.whole()));
    }

    /**
     * Paths are encoded already. What is loaded is our servers alone, and Gatling's own site is not asked to warm up. It would
     * name each server's own address as the origin of a web page, which no server allows.
     */
    private static HttpProtocolBuilder protocol() {
        return http.acceptHeader("application/json")
                .disableUrlEncoding()
                .disableAutoOrigin()
                .disableCaching()
                .disableWarmUp()
                .wsUnmatchedInboundMessageBufferSize(UNASKED_FRAMES);
    }

    private static List<Assertion> assertions(FeedPlan plan) {
        List<Assertion> all = new ArrayList<>();
        all.add(global().failedRequests().percent().lte(plan.limits().errorPercent()));
        plan.limits().p99Millis().ifPresent(most -> {
            if (plan.content().mix().has(true)) {
                all.add(details(FeedScript.UPDATES)
                        .responseTime()
                        .percentile(P99)
                        .lte(most));
            }
            if (plan.content().mix().has(false)) {
                all.add(details(FeedScript.READS).responseTime().percentile(P99).lte(most));
            }
        });
        return all;
    }
}
