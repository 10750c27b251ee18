package org.aspas.emulab.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.bodyBytes;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.jmesPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;
import static io.gatling.javaapi.http.HttpDsl.ws;

import io.gatling.http.action.ws.WsInboundMessage;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import io.gatling.javaapi.http.WsFrameCheck;
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

    /** Users of the JSON API, each with a connection of its own. The server signs for them, and they trust it. */
    private static final class HttpScript extends FeedScript {
        private static final int OK = 200;

        private final boolean confirmed;

        HttpScript(FeedPlan plan, RunClock clock) {
            super(plan, clock);
            this.confirmed = plan.tolerance().of(0) == 1;
        }

        @Override
        ChainBuilder arrive() {
            return exec(session -> session);
        }

        @Override
        ChainBuilder perform() {
            HttpRequestActionBuilder update = http(HttpScript::label)
                    .post(session -> address(session) + (confirmed ? "?confirm=true" : ""))
                    .body(StringBody(session -> visitor(session).operation.body()))
                    .asJson()
                    .check(updateChecks());
            HttpRequestActionBuilder read =
                    http(HttpScript::label).get(this::address).check(readChecks());
            return doIfOrElse(session -> visitor(session).operation.action().update())
                    .then(update)
                    .orElse(read);
        }

        private List<CheckBuilder> updateChecks() {
            List<CheckBuilder> checks = new ArrayList<>(sameObject());
            checks.add(jmesPath("dot.origin").ofInt().is(session -> visitor(session).server));
            if (confirmed) {
                checks.add(jmesPath("confirmed").ofBoolean().is(true));
            }
            return checks;
        }

        private static List<CheckBuilder> readChecks() {
            List<CheckBuilder> checks = new ArrayList<>(sameObject());
            checks.add(jmesPath("value").exists());
            return checks;
        }

        private static List<CheckBuilder> sameObject() {
            return List.of(
                    status().is(OK),
                    jmesPath("key").is(session -> visitor(session).operation.key()));
        }

        private static String label(Session session) {
            return visitor(session).operation.action().label();
        }

        private String address(Session session) {
            return plan.target().servers().get(visitor(session).server)
                    + visitor(session).operation.path();
        }

        @Override
        ChainBuilder leave() {
            return exec(session -> session);
        }

        @Override
        boolean lost(Session session) {
            return session.isFailed();
        }
    }

    /**
     * Users that talk the clients' protocol. Gatling makes the connection, sends each frame, and times it until the frame with its
     * answer; the user's {@link VirtualClient} signs what is sent and sees every frame that comes, so that a check holds only
     * when the answer, and all that came with it, is verified.
     *
     * <p>Gatling's report has the time from a request to its answer under the name of the operation. It counts what it sends as
     * requests too, without an answer; they are all named {@value #SENT}, and take no time.
     */
    private static final class WebSocketScript extends FeedScript {
        /** The name of what is sent, apart from its answer. */
        static final String SENT = "sent";

        /** The group of updates that had to wait until fewer than τ were unconfirmed. */
        static final String WAITING = "waiting for τ";

        private static final String CLIENT = "client";
        private static final Duration POLL = Duration.ofMillis(5);

        private final VirtualClients clients;

        WebSocketScript(FeedPlan plan, RunClock clock, VirtualClients clients) {
            super(plan, clock);
            this.clients = clients;
        }

        @Override
        ChainBuilder arrive() {
            return exec(this::makeClient)
                    .exec(ws("connect")
                            .connect(session -> plan.target().session(visitor(session).server))
                            .await(PATIENCE)
                            .on(answer("greeting")))
                    .doIf(session -> !lost(session))
                    .then(ws(SENT).sendBytes(session -> client(session).openSession())
                            .await(PATIENCE)
                            .on(answer("open session")));
        }

        private Session makeClient(Session session) {
            Visitor visitor = visitor(session);
            return session.set(
                    CLIENT, clients.client(visitor.server, plan.tolerance().of(visitor.number)));
        }

        @Override
        ChainBuilder perform() {
            return exec(ws.processUnmatchedMessages(WebSocketScript::unasked))
                    .exec(session -> {
                        client(session).tick();
                        return session;
                    })
                    .doIf(WebSocketScript::mustWait)
                    .then(group(WAITING)
                            .on(asLongAs(session -> mustWait(session)
                                            && visitor(session).isPatient())
                                    .on(pause(POLL).exec(ws.processUnmatchedMessages(WebSocketScript::unasked)))))
                    .asLongAs(session -> client(session).hasFrames())
                    .on(ws(SENT).sendBytes(session -> client(session).take()))
                    .exec(ws(SENT).sendBytes(session -> client(session).request(visitor(session).operation))
                            .await(PATIENCE)
                            .on(operationAnswer()));
        }

        @Override
        ChainBuilder leave() {
            return exec(ws.processUnmatchedMessages(WebSocketScript::unasked))
                    .exec(ws("close").close());
        }

        private static WsFrameCheck answer(String name) {
            return checked(ws.checkBinaryMessage(name));
        }

        private static WsFrameCheck operationAnswer() {
            return checked(ws.checkBinaryMessage(
                    session -> visitor(session).operation.action().label()));
        }

        /** Every frame goes to the client. One that brings the answer matches, and holds when the client has verified it. */
        private static WsFrameCheck checked(WsFrameCheck.Binary frame) {
            return frame.matching(bodyBytes()
                            .transformWithSession(
                                    (bytes, session) -> client(session).receive(bytes))
                            .is(true))
                    .check(bodyBytes()
                            .transformWithSession(
                                    (bytes, session) -> client(session).outcome())
                            .is(VirtualClient.VERIFIED)
                            .name("answer")
                            .logActualValueInError(true));
        }

        /** Confirmations come whenever there is a certificate, also while nothing is awaited. */
        private static Session unasked(List<WsInboundMessage> messages, Session session) {
            for (WsInboundMessage message : messages) {
                if (message instanceof WsInboundMessage.Binary binary) {
                    client(session).receive(binary.message());
                }
            }
            return session;
        }

        private static boolean mustWait(Session session) {
            return visitor(session).operation.action().update()
                    && !client(session).hasRoom();
        }

        @Override
        boolean lost(Session session) {
            return !client(session).usable();
        }

        private static VirtualClient client(Session session) {
            VirtualClient client = session.get(CLIENT);
            if (client == null) {
                throw new IllegalStateException("the user has no client");
            }
            return client;
        }
    }
}
