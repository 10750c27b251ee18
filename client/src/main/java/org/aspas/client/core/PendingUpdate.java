package org.aspas.client.core;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.jspecify.annotations.Nullable;

/** One unconfirmed update: the signed request, its verified answers, and what the application knows already. */
final class PendingUpdate {
    private static final int MOST_SUPERSEDED = 8;

    final CallId call;
    /** Its place in the window: its number, or 0 and less for what earlier clients with the key left. */
    final long place;

    final long number;

    final Signed<ClientSigned> body;
    /** The verified answers by the server that gave them, each with a dot of its own; kept as evidence. */
    final TreeMap<Integer, Signed<Response>> answers = new TreeMap<>();
    /** Earlier answers of servers that answered with another place later, which they may when the earlier one was certified. */
    private final List<Signed<Response>> superseded = new ArrayList<>();
    /**
     * When the present server answered it, or said that it holds what another one answered, in milliseconds of the core's
     * time; negative before.
     */
    long since = -1;
    /** Since when the client has known that a certificate covers it, in milliseconds of the core's time; negative before. */
    long coveredSince = -1;
    /** When it was first sent on the present connection, in milliseconds of the core's time; negative before. */
    long sentAt = -1;
    /**
     * When it was first sent to the present server, on any connection, since this last answered it or said to hold it, likewise;
     * negative when the server owes nothing.
     */
    long givenAt = -1;
    /** The server that it was last sent to; negative for none in this run. */
    int sentTo = -1;
    /** Whether it was sent to any server in this run. */
    boolean sent;
    /** Whether the application has been told an answer. */
    boolean told;
    /** Whether the application has been told that it may take effect; the request stays until it is confirmed. */
    boolean doubtful;
    /** Whether the present server has refused it on this connection. */
    boolean refusedHere;
    /** The servers that have refused it; f+1 of them are believed. */
    final TreeSet<Integer> refusedBy = new TreeSet<>();
    /** Why the last one refused it that said it does not fit its object; null while none has. */
    Refusal.@Nullable Reason unfit;
    /** When the present server first said that it lacks an earlier request; negative for never. */
    long behindSince = -1;
    /** A confirmation that came before the answer with its place, whose leaf it proves. */
    @Nullable
    Early early;

    PendingUpdate(CallId call, long place, Signed<ClientSigned> body) {
        this.call = call;
        this.place = place;
        this.number = ((Request) body.message()).number();
        this.body = body;
    }

    /** Who numbered it: this client, or an earlier one whose record it has. */
    ClientId client() {
        return request().client();
    }

    Request request() {
        return (Request) body.message();
    }

    /** The present server answers it, or says that it holds it; it may do so again and again. */
    void heldHere(long now) {
        since = since < 0 ? now : since;
        givenAt = -1;
    }

    /** It did not go well, and may take effect all the same; the application is told once. */
    void mayTakeEffect(Step step, Failure why) {
        if (!doubtful) {
            doubtful = true;
            Request request = request();
            step.add(new Effect.MayTakeEffect(call, client(), number, why));
            step.happened(new ClientEvent.MayTakeEffect(
                    client(), number, request.key(), request.type(), request.operation(), why));
        }
    }

    Question question() {
        return Question.of(new Signed<>(request(), body.payload(), body.signature()));
    }

    /** The dot that a server gave it in its answer. */
    Dot dotAt(int server) {
        Signed<Response> answer = answers.get(server);
        if (answer == null) {
            throw new IllegalStateException("appserver " + server + " has not answered request " + number);
        }
        return dotOf(answer);
    }

    /** A server that answered with a certified place has answered with another one; whether that is not too often. */
    boolean supersede(Signed<Response> answer) {
        Signed<Response> before = answers.put(answer.message().server(), answer);
        if (before != null) {
            superseded.add(before);
        }
        return superseded.size() <= MOST_SUPERSEDED;
    }

    /** The answer with a place, or else the newest of that server; null without one. */
    @Nullable
    Signed<Response> answerAt(Dot dot) {
        return superseded.stream()
                .filter(answer -> dotOf(answer).equals(dot))
                .findFirst()
                .orElse(answers.get(dot.origin()));
    }

    /** Whether a server has answered it with this place. */
    boolean isAt(@Nullable Dot dot) {
        Signed<Response> answer = dot == null ? null : answers.get(dot.origin());
        return answer != null && dotOf(answer).equals(dot);
    }

    static Dot dotOf(Signed<Response> answer) {
        Dot dot = answer.message().dot();
        if (dot == null) {
            throw new IllegalStateException("accepted an answer without a dot: " + answer);
        }
        return dot;
    }

    /** A confirmation of a place that no answer has named yet. */
    record Early(Certificate certificate, Confirmation.Covered covered) {}
}
