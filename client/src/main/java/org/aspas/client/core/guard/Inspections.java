package org.aspas.client.core.guard;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.message.Inspect;
import org.aspas.certify.message.InspectReply;
import org.aspas.certify.message.InspectReply.Outcome;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Question;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.WrongAnswer;
import org.aspas.client.core.port.Check;
import org.aspas.client.core.port.ClientEvent.Why;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Policy;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;

/**
 * Inspection (paper §3.6; the protocol page, §7): shows a random answer to all other servers, which recompute it. f+1 of
 * them agree with it, or make evidence of it, or cannot say in time, which is a reason to leave and proves nothing.
 */
public final class Inspections {
    private static final int MOST_OPEN = 16;
    private static final long MINUTE_MILLIS = 60_000;

    /** One answer under inspection. */
    private static final class Round {
        final long nonce;
        final Signed<Response> response;
        final Question question;
        final Signed<Message> inspect;
        final boolean doubted;
        final long started;
        final TreeMap<Integer, Signed<InspectReply>> replies = new TreeMap<>();
        long nextQuestion;

        Round(
                long nonce,
                Signed<Response> response,
                Question question,
                Signed<Message> inspect,
                boolean doubted,
                long started) {
            this.nonce = nonce;
            this.response = response;
            this.question = question;
            this.inspect = inspect;
            this.doubted = doubted;
            this.started = started;
        }

        int server() {
            return response.message().server();
        }

        List<Signed<InspectReply>> with(Outcome outcome) {
            List<Signed<InspectReply>> found = new ArrayList<>(replies.values());
            found.removeIf(reply -> reply.message().outcome() != outcome);
            return found;
        }

        /** Contested values say nothing about the server: honest clients can make them. */
        int cannotSay() {
            return replies.size()
                    - with(Outcome.MATCH).size()
                    - with(Outcome.DIFFERS).size()
                    - with(Outcome.CONTESTED).size();
        }
    }

    private final Policy policy;
    private final PeerQueries peers;
    private final Servers servers;
    private final Complaints complaints;
    private final Step step;
    private final RandomGenerator random;
    private final TreeMap<Long, Round> rounds = new TreeMap<>();
    private final TokenBucket budget;
    private long started;

    /**
     * No inspection is open.
     *
     * @param policy how many answers to inspect
     * @param peers the way to those who recompute them
     * @param complaints takes what they prove
     * @param random chooses answers
     * @param step tells the time, and takes what follows
     */
    public Inspections(Policy policy, PeerQueries peers, Complaints complaints, RandomGenerator random, Step step) {
        this.policy = policy;
        this.peers = peers;
        this.servers = peers.servers();
        this.complaints = complaints;
        this.random = random;
        this.step = step;
        this.budget = new TokenBucket(
                policy.inspectionsPerMinute(), policy.inspectionsPerMinute(), MINUTE_MILLIS, step.now());
    }

    /** How many inspections were begun. */
    public long started() {
        return started;
    }

    /** Inspects an answer if chance and budget choose it. */
    public void offer(Signed<Response> response, Supplier<Question> question) {
        boolean drawn = policy.inspection() > 0 && random.nextDouble() < policy.inspection();
        if (drawn && rounds.size() < MOST_OPEN && budget.take(step.now())) {
            begin(response, question.get(), false);
        }
    }

    /** Shows the others an answer that does not fit what the client sees; they make their own evidence of it. */
    public void doubt(Signed<Response> response, Question question) {
        boolean known = rounds.values().stream()
                .anyMatch(round -> round.response.identity().equals(response.identity()));
        if (!known && rounds.size() < 2 * MOST_OPEN) {
            begin(response, question, true);
        }
    }

    private void begin(Signed<Response> response, Question question, boolean doubted) {
        long nonce = peers.nonce();
        Signed<Message> inspect = peers.seal(new Inspect(peers.self(), nonce, response, question));
        Round round = new Round(nonce, response, question, inspect, doubted, step.now());
        round.nextQuestion = round.started + policy.graceMillis() / 4;
        rounds.put(nonce, round);
        started++;
        peers.send(servers.allBut(round.server()), inspect);
    }

    /** Time has passed. */
    public void tick() {
        long now = step.now();
        for (Iterator<Round> all = rounds.values().iterator(); all.hasNext(); ) {
            if (over(all.next(), now)) {
                all.remove();
            }
        }
    }

    private boolean over(Round round, long now) {
        if (now - round.started < policy.graceMillis()) {
            if (now >= round.nextQuestion) {
                round.nextQuestion = now + policy.graceMillis() / 4;
                askAgain(round);
            }
            return false;
        }
        boolean right =
                round.with(Outcome.MATCH).size() >= servers.oneCorrect() - 1; // One of f is correct, or the own one.
        boolean suspicious = round.cannotSay() >= servers.oneCorrect() && !right;
        if (suspicious && !round.doubted && round.server() == servers.current()) {
            step.leave(
                    Why.NOT_INSPECTABLE,
                    round.cannotSay() + " servers cannot say whether answer "
                            + round.response.message().sequence() + " is right");
        }
        return true;
    }

    private void askAgain(Round round) {
        List<Integer> open = servers.allBut(round.server());
        open.removeIf(server -> {
            Signed<InspectReply> reply = round.replies.get(server);
            return reply != null && reply.message().outcome() != Outcome.NOT_DELIVERED;
        });
        peers.send(open, round.inspect);
    }

    /** Takes a reply whose signature is right. */
    public void reply(Signed<InspectReply> signed) {
        InspectReply reply = signed.message();
        Round round = rounds.get(reply.nonce());
        if (round == null || reply.server() == round.server() || !reply.answer().equals(round.response.identity())) {
            return;
        }
        round.replies.put(reply.server(), signed);
        if (round.with(Outcome.MATCH).size() >= servers.oneCorrect()) {
            rounds.remove(round.nonce);
            return;
        }
        List<Signed<InspectReply>> differing = round.with(Outcome.DIFFERS);
        differing.removeIf(
                one -> !one.message().roots().equals(round.response.message().roots()));
        if (differing.size() >= servers.oneCorrect()) {
            rounds.remove(round.nonce);
            wrong(round, differing);
        }
    }

    private void wrong(Round round, List<Signed<InspectReply>> differing) {
        complaints.file(new WrongAnswer(round.response, round.question, differing));
        if (round.server() == servers.current()) {
            step.notVerified(new Failure.NotVerified(
                    Check.INSPECTION,
                    differing.size() + " servers compute another value than answer "
                            + round.response.message().sequence()));
        }
    }
}
