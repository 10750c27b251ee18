package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.client.core.ClientEvent.Why;

/**
 * Inspection (paper §3.6; the protocol page, §7): shows a random answer to other servers, which recompute it. f+1 of
 * them agree with it, or make evidence of it, or cannot say in time, which is a reason to leave and proves nothing.
 *
 * <p>Chance picks an answer after it came, so that its server cannot know. The others are asked a little later, when they
 * have what the answer was computed from: first f+1 of them, and all when these do not agree with it.
 */
public final class Inspections {
    private static final int MOST_OPEN = 16;
    private static final long MINUTE_MILLIS = 60_000;
    /** The first question comes after this part of the grace time. */
    private static final int WAIT_PART = 10;

    private static final int PAUSE_PART = 4;

    private static final InspectionCounts PICKED = new InspectionCounts(1, 0, 0, 0, 0, 0);
    private static final InspectionCounts MATCHED = new InspectionCounts(0, 1, 0, 0, 0, 0);
    private static final InspectionCounts DIFFERED = new InspectionCounts(0, 0, 1, 0, 0, 0);
    private static final InspectionCounts UNKNOWN = new InspectionCounts(0, 0, 0, 1, 0, 0);
    private static final InspectionCounts DROPPED = new InspectionCounts(0, 0, 0, 0, 1, 0);
    private static final InspectionCounts OVER_BUDGET = new InspectionCounts(0, 0, 0, 0, 0, 1);

    /** One answer under inspection. */
    private static final class Round {
        final long nonce;
        final Signed<Response> response;
        final Question question;
        final Signed<Message> inspect;
        final boolean doubted;
        final long started;
        final TreeMap<Integer, Signed<InspectReply>> replies = new TreeMap<>();
        final Set<Integer> asked = new TreeSet<>();
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
    private InspectionCounts counts = InspectionCounts.NONE;

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

    public long started() {
        return started;
    }

    public InspectionCounts counts() {
        return counts;
    }

    /** Inspects an answer that has come, if chance and budget choose it. */
    public void offer(Signed<Response> response, Supplier<Question> question) {
        if (policy.inspection() <= 0 || random.nextDouble() >= policy.inspection()) {
            return;
        }
        counts = counts.plus(PICKED);
        if (rounds.size() >= MOST_OPEN) {
            counts = counts.plus(DROPPED);
        } else if (!budget.take(step.now())) {
            counts = counts.plus(OVER_BUDGET);
        } else {
            begin(response, question.get(), false);
        }
    }

    /** Shows the others an answer that does not fit what the client sees; they make their own evidence of it. */
    public void doubt(Signed<Response> response, Question question) {
        boolean known = rounds.values().stream()
                .anyMatch(round -> round.response.identity().equals(response.identity()));
        if (!known && rounds.size() < 2 * MOST_OPEN) {
            Round round = begin(response, question, true);
            ask(round, servers.allBut(round.server()));
        }
    }

    private Round begin(Signed<Response> response, Question question, boolean doubted) {
        long nonce = peers.nonce();
        Signed<Message> inspect = peers.seal(new Inspect(peers.self(), nonce, response, question));
        Round round = new Round(nonce, response, question, inspect, doubted, step.now());
        round.nextQuestion = round.started + policy.graceMillis() / (doubted ? PAUSE_PART : WAIT_PART);
        rounds.put(nonce, round);
        started++;
        return round;
    }

    private void count(Round round, InspectionCounts one) {
        counts = round.doubted ? counts : counts.plus(one);
    }

    private void ask(Round round, List<Integer> whom) {
        round.asked.addAll(whom);
        peers.send(whom, round.inspect);
    }

    /** Chooses as many servers as can decide, at random. */
    private List<Integer> some(Round round) {
        List<Integer> others = servers.allBut(round.server());
        others.removeIf(servers::convicted);
        int count = Math.min(others.size(), servers.oneCorrect());
        int first = others.isEmpty() ? 0 : random.nextInt(others.size());
        return IntStream.range(first, first + count)
                .mapToObj(i -> others.get(i % others.size()))
                .toList();
    }

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
                round.nextQuestion = now + policy.graceMillis() / PAUSE_PART;
                if (round.asked.isEmpty()) {
                    ask(round, some(round));
                } else {
                    askAgain(round);
                }
            }
            return false;
        }
        count(round, UNKNOWN);
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
        ask(round, open);
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
            count(round, MATCHED);
            return;
        }
        List<Signed<InspectReply>> differing = round.with(Outcome.DIFFERS);
        differing.removeIf(
                one -> !one.message().roots().equals(round.response.message().roots()));
        if (differing.size() >= servers.oneCorrect()) {
            rounds.remove(round.nonce);
            count(round, DIFFERED);
            wrong(round, differing);
        } else if (reply.outcome() != Outcome.MATCH && reply.outcome() != Outcome.NOT_DELIVERED) {
            askRest(round);
        }
    }

    /** Asks the rest to decide, because one of those who were asked does not agree. */
    private void askRest(Round round) {
        List<Integer> rest = servers.allBut(round.server());
        rest.removeAll(round.asked);
        ask(round, rest);
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
