package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What was certified long ago is forgotten, and nothing goes wrong for who comes late. */
class PruningTest {
    private static final long MIB = 1 << 20;
    private static final RetentionLimits SHORT = new RetentionLimits(3, 500, MIB, 1_000, MIB, MIB, 3);
    private static final int UPDATES = 60;

    private static Deployment deployment(RetentionLimits limits) {
        return new Deployment(7, client -> true, CoreLimits.USUAL.keeping(limits));
    }

    private static Signed<Request> increment(TestClient client) {
        return client.update("c", "pn-counter", Operation.of("increment", Value.of(1)));
    }

    /** A client's first update, and others so long after it that it is forgotten. */
    private static Signed<Request> longAgo(Deployment world, TestClient client) {
        client.open();
        Signed<Request> first = increment(client);
        for (int i = 1; i < UPDATES; i++) {
            world.run(100);
            increment(client);
        }
        world.run(2_000);
        return first;
    }

    private static long gauge(Deployment world, int server, String name) {
        return world.cores.get(server).status().gauges().getOrDefault(name, -1L);
    }

    private static long counter(Deployment world, int server, String name) {
        return world.cores.get(server).status().counters().getOrDefault(name, 0L);
    }

    @Test
    void entriesAndCertificatesGoAndCertificationGoesOn() {
        Deployment world = deployment(SHORT);
        longAgo(world, world.client(1, 0));
        Deployment keeping = deployment(RetentionLimits.USUAL);
        longAgo(keeping, keeping.client(1, 0));
        for (int server = 0; server < 4; server++) {
            CoreStatus status = world.cores.get(server).status();
            assertThat(status.certified().get(0)).isEqualTo(UPDATES + 1);
            assertThat(gauge(world, server, "certificates_kept")).isLessThanOrEqualTo(20);
            assertThat(gauge(world, server, "certified_bytes_kept"))
                    .isLessThan(gauge(keeping, server, "certified_bytes_kept") / 2);
            assertThat(gauge(world, server, "log_hash_bytes")).isLessThan(gauge(keeping, server, "log_hash_bytes") / 2);
        }
        assertThat(world.alarms).isEmpty();
    }

    @Test
    void aLateNumberIsEnteredAgainCountsOnceAndIsConfirmed() {
        Deployment world = deployment(SHORT);
        TestClient client = world.client(1, 0);
        Signed<Request> first = longAgo(world, client);
        Dot before = client.answer(1, true).orElseThrow().response().message().dot();
        client.received.clear();
        client.resend(first);
        world.run(2_000);
        Dot after = client.answer(1, true).orElseThrow().response().message().dot();
        assertThat(after).isNotEqualTo(before).isEqualTo(new Dot(0, UPDATES + 2));
        assertThat(client.confirmations().stream().map(Confirmation::covered).flatMap(List::stream))
                .singleElement()
                .satisfies(covered -> assertThat(covered.dot()).isEqualTo(after));
        long read = client.read("c", "pn-counter", true, 0);
        world.run(100);
        assertThat(client.answer(read, false).map(Answer::response))
                .hasValueSatisfying(
                        answer -> assertThat(answer.message().result()).isEqualTo(Value.of(UPDATES)));
        client.resend(first);
        world.run(100);
        assertThat(client.answer(1, true).orElseThrow().response().message().dot())
                .as("given again")
                .isEqualTo(after);
        assertThat(world.alarms).isEmpty();
    }

    @Test
    void anotherContentUnderAForgottenNumberHasNoEffectAndConvictsNobody() {
        Deployment world = deployment(SHORT);
        TestClient client = world.client(1, 0);
        longAgo(world, client);
        client.update(1, "c", "pn-counter", Operation.of("increment", Value.of(1_000)));
        world.run(2_000);
        long read = client.read("c", "pn-counter", true, 0);
        world.run(100);
        assertThat(client.answer(read, false).orElseThrow().response().message().result())
                .isEqualTo(Value.of(UPDATES));
        assertThat(world.cores.get(0).status().blacklist()).isEmpty();
    }

    @Test
    void whatIsAskedBelowTheEdgeIsRefusedByName() {
        Deployment world = deployment(SHORT);
        TestClient client = world.client(1, 0);
        Signed<Request> first = longAgo(world, client);
        world.step(1, new Event.NodeFrame(NodeId.appserver(2), new Frame.Plain(new Pull(0, 0))));
        world.step(1, new Event.NodeFrame(NodeId.appserver(2), new Frame.Plain(new Pull(0, 0, UPDATES))));
        assertThat(counter(world, 1, "refused_pull_pruned")).isEqualTo(2);
        Answer answer = client.answer(1, true).orElseThrow();
        TestClient other = world.client(2, 1);
        other.ask(new Inspect(other.id(), 1, answer.response(), Question.of(first)));
        world.run(100);
        assertThat(other.newest(InspectReply.class).orElseThrow().message().outcome())
                .isEqualTo(InspectReply.Outcome.PRUNED);
        assertThat(world.cores.get(1).status().blacklist()).isEmpty();
    }

    @Test
    void whatAServerFoundOfAnAnswerStandsWhenItsCertificateIsForgotten() {
        Deployment world = deployment(SHORT);
        TestClient client = world.client(1, 0);
        client.open();
        Question question = Question.of(increment(client));
        world.run(200);
        Signed<Response> right = client.answer(1, true).orElseThrow().response();
        Response lie = new Response(
                right.message().server(),
                right.message().sequence(),
                right.message().client(),
                right.message().reference(),
                Value.of(17),
                right.message().dot(),
                right.message().leaf(),
                right.message().version(),
                right.message().roots(),
                right.message().certificate(),
                right.message().certificateDigest());
        Signed<Response> wrong = world.sealer(1, 0).seal(lie);
        TestClient other = world.client(2, 1);
        assertThat(found(world, other, wrong, question)).isEqualTo(InspectReply.Outcome.DIFFERS);
        for (int i = 0; i < UPDATES; i++) {
            world.run(100);
            increment(client);
        }
        world.run(2_000);
        assertThat(found(world, world.client(3, 2), wrong, question))
                .as("who was not asked before")
                .isEqualTo(InspectReply.Outcome.PRUNED);
        assertThat(found(world, other, wrong, question)).isEqualTo(InspectReply.Outcome.DIFFERS);
    }

    private static InspectReply.Outcome found(
            Deployment world, TestClient asker, Signed<Response> answer, Question question) {
        asker.received.clear();
        asker.ask(new Inspect(asker.id(), world.now, answer, question));
        world.run(100);
        return asker.newest(InspectReply.class).orElseThrow().message().outcome();
    }

    @Test
    void whatIsNotCertifiedStaysAndAtItsBoundUpdatesAreBusy() {
        Deployment world = deployment(new RetentionLimits(1, 1, 1, 1, 1, 2_000, 3));
        world.certifying = false;
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < 20; i++) {
            increment(client);
            world.run(20);
        }
        assertThat(client.refusals()).extracting(Refusal::reason).contains(Refusal.Reason.BUSY);
        assertThat(gauge(world, 0, "uncertified_full")).isEqualTo(1);
        long entered = world.cores.get(0).version().get(0);
        assertThat(entered).isBetween(3L, 19L);
        assertThat(world.cores.get(1).version().get(0)).isEqualTo(entered);
        world.certifying = true;
        world.run(3_000);
        assertThat(world.cores.get(2).status().certified().get(0)).isEqualTo(entered);
        assertThat(gauge(world, 0, "uncertified_full")).isZero();
        assertThat(gauge(world, 0, "uncertified_bytes")).isZero();
    }

    @Test
    void aServerThatComesBackInTimeCatchesUpAndOneThatRestartsForgetsAgain() {
        Deployment world = deployment(SHORT);
        TestClient client = world.client(1, 0);
        longAgo(world, client);
        world.crash(3);
        world.crash(0);
        world.run(2_000);
        TestClient later = world.client(2, 3);
        later.open();
        increment(later);
        world.run(2_000);
        assertThat(world.cores.get(0).status().certified().get(3)).isEqualTo(2);
        assertThat(gauge(world, 3, "certificates_kept")).isLessThanOrEqualTo(20);
        assertThat(world.alarms).isEmpty();
    }
}
