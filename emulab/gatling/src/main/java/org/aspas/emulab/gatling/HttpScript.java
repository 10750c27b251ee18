package org.aspas.emulab.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jmesPath;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.ArrayList;
import java.util.List;

/** Users of the JSON API, each with a connection of its own. The server signs for them, and they trust it. */
final class HttpScript extends FeedScript {
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
