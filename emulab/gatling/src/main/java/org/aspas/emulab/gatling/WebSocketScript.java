package org.aspas.emulab.gatling;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.bodyBytes;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.http.HttpDsl.ws;

import io.gatling.http.action.ws.WsInboundMessage;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.WsFrameCheck;
import java.time.Duration;
import java.util.List;

/**
 * Users that talk the clients' protocol. Gatling makes the connection, sends each frame, and times it until the frame with its
 * answer; the user's {@link VirtualClient} signs what is sent and sees every frame that comes, so that a check holds only
 * when the answer, and all that came with it, is verified.
 *
 * <p>Gatling's report has the time from a request to its answer under the name of the operation. It counts what it sends as
 * requests too, without an answer; they are all named {@value #SENT}, and take no time.
 */
final class WebSocketScript extends FeedScript {
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
                        .on(asLongAs(session ->
                                        mustWait(session) && visitor(session).isPatient())
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
        return visitor(session).operation.action().update() && !client(session).hasRoom();
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
