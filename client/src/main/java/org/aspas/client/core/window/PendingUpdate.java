package org.aspas.client.core.window;

import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Question;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.port.CallId;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.step.Step;
import org.aspas.crdt.clock.Dot;
import org.jspecify.annotations.Nullable;

/** One unconfirmed update: the signed request, its verified answers, and what the application knows already. */
final class PendingUpdate {
    final CallId call;
    final long number;
    final Signed<ClientSigned> body;
    /** The verified answers by the server that gave them, each with a dot of its own; kept as evidence. */
    final TreeMap<Integer, Signed<Response>> answers = new TreeMap<>();
    /** When the present server was first given it, in milliseconds of the core's time. */
    long since;
    /** Whether it was sent to any server in this run. */
    boolean sent;
    /** Whether the application has been told an answer. */
    boolean told;
    /** Whether the application has been told that it may take effect; the request stays until it is confirmed. */
    boolean doubtful;
    /** Whether the present server has refused it on this connection. */
    boolean refusedHere;
    /** Whoever has refused it, so that f+1 of them are believed. */
    final TreeSet<Integer> refusedBy = new TreeSet<>();
    /** Why the last one refused it that said it does not fit its object; null while none has. */
    Refusal.@Nullable Reason unfit;
    /** When the present server first said that it lacks an earlier request; negative for never. */
    long behindSince = -1;
    /** A confirmation that came before the answer, whose leaf it proves. */
    @Nullable
    Early early;

    PendingUpdate(CallId call, long number, Signed<ClientSigned> body, long since) {
        this.call = call;
        this.number = number;
        this.body = body;
        this.since = since;
    }

    /** What the client has signed. */
    Request request() {
        return (Request) body.message();
    }

    /** It did not go well, and may take effect all the same; the application is told once. */
    void mayTakeEffect(Step step, Failure why) {
        if (!doubtful) {
            doubtful = true;
            Request request = request();
            step.add(new Effect.MayTakeEffect(call, number, why));
            step.happened(
                    new ClientEvent.MayTakeEffect(number, request.key(), request.type(), request.operation(), why));
        }
    }

    /** What an answer to it answers. */
    Question question() {
        return Question.of(new Signed<>(request(), body.payload(), body.signature()));
    }

    /** Where a server that has answered it says that it is. */
    Dot dotAt(int server) {
        Signed<Response> answer = answers.get(server);
        if (answer == null) {
            throw new IllegalStateException("appserver " + server + " has not answered request " + number);
        }
        return dotOf(answer);
    }

    static Dot dotOf(Signed<Response> answer) {
        Dot dot = answer.message().dot();
        if (dot == null) {
            throw new IllegalStateException("accepted an answer without a dot: " + answer);
        }
        return dot;
    }

    /** A confirmation without an answer. */
    record Early(Certificate certificate, Confirmation.Covered covered) {}
}
