package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Appserver 2 built own entries upon a branch of appserver 3's log that is longer than the certified one. */
class WrongBranchTest {
    private static final int LATE = 2;
    private static final int CERTIFIED = 5;
    private static final int FORKED = 10;
    /** More than there are answers that a server keeps. */
    private static final int UPDATES = 70;

    private final Deployment world = new Deployment(17);
    private final ForgedLog log = branch(CERTIFIED, 5);
    private final ForgedLog fork = branch(FORKED, 7);
    private final TestClient client = world.client(33, LATE);

    private ForgedLog branch(int entries, long amount) {
        ForgedLog branch = new ForgedLog(world);
        branch.session();
        for (int number = 1; number < entries; number++) {
            branch.increment(number, amount);
        }
        return branch;
    }

    private void update() {
        client.update("k", "pn-counter", Operation.of("increment", Value.of(1)));
    }

    /** Appserver 2 hears of the certificate, and of nothing else, and nobody hears of it. */
    private void repairAlone() {
        world.open = (from, to) -> !silent(from)
                && !from.equals(NodeId.appserver(LATE))
                && (from.role() == Role.BFTSERVER || !to.equals(NodeId.appserver(LATE)));
        fork.sendTo(LATE);
        client.open();
        for (int i = 0; i < UPDATES; i++) {
            update();
        }
        world.parrot = true;
        log.sendTo(0);
        log.sendTo(1);
        world.run(3000);
        assertThat(world.cores.get(LATE).status().counters()).containsEntry("repairs", 1L);
        world.parrot = false;
        world.certifying = false;
    }

    private static boolean silent(NodeId node) {
        return node.equals(NodeId.appserver(ForgedLog.LIAR));
    }

    private void connect() {
        world.open = (from, to) -> !silent(from) && !silent(to);
        for (int other : List.of(0, 1)) {
            world.step(LATE, new Event.NodeConnected(NodeId.appserver(other)));
        }
        world.run(1000);
    }

    private boolean ready() {
        return world.cores.get(LATE).status().ready();
    }

    @Test
    void nothingIsIssuedNorAnsweredAgainThatBuildsUponWhatWasTakenBack() {
        repairAlone();
        client.received.clear();
        client.resend(client.requests.firstEntry().getValue());
        connect();
        assertThat(world.cores.get(LATE).version().get(ForgedLog.LIAR)).isEqualTo(CERTIFIED);
        assertThat(ready()).isFalse();
        client.resend(client.requests.firstEntry().getValue());
        client.resend(client.requests.lastEntry().getValue());
        update();
        assertThat(client.refusals())
                .extracting(Refusal::reference, Refusal::reason)
                .containsExactly(tuple(1L, Reason.BUSY), tuple(1L, Reason.BUSY), tuple(UPDATES + 1L, Reason.BUSY));
        assertThat(client.answer(UPDATES, true)).isPresent();
    }

    /** Nobody but the repairing server ever had both branches; once the liar is cut, it issues again. */
    @Test
    void theBranchThatIsTakenBackProvesTheFork() {
        repairAlone();
        connect();
        world.certifying = true;
        world.run(5000);
        for (int server : List.of(0, 1, LATE)) {
            assertThat(world.cores
                            .get(server)
                            .newestCertificate()
                            .orElseThrow()
                            .content()
                            .exclusions())
                    .as("server %d, alarms %s", server, world.alarms)
                    .extracting(Exclusion::origin, Exclusion::cut)
                    .containsExactly(tuple(ForgedLog.LIAR, (long) CERTIFIED));
        }
        assertThat(ready()).isTrue();
        update();
        client.resend(client.requests.firstEntry().getValue());
        world.run(3000);
        assertThat(client.refusals()).isEmpty();
        assertThat(client.confirmations())
                .flatExtracting(Confirmation::covered)
                .extracting(Confirmation.Covered::number)
                .contains(1L, UPDATES + 1L);
    }

    /** What saw the branch and what stands in its place may wait for each other: then all entries are looked at. */
    @Test
    void whoTookABranchBackRecomputesFromEverything() {
        TestClient other = world.client(34, 0);
        other.open();
        world.run(1000);
        repairAlone();
        connect();
        other.update("k", "pn-counter", Operation.of("increment", Value.of(3)));
        world.run(1000);
        Signed<Response> answer = other.answer(1, true).orElseThrow().response();
        for (int server : List.of(1, LATE)) {
            TestClient asker = world.client(40 + server, server);
            asker.ask(new Inspect(asker.id(), 1, answer, Question.of(other.requests.get(1L))));
            world.run(100);
            assertThat(asker.newest(InspectReply.class).orElseThrow().message().outcome())
                    .isEqualTo(Outcome.MATCH);
            assertThat(world.cores.get(server).status().counters())
                    .containsEntry(server == LATE ? "inspections_from_all" : "inspections_from_own", 1L);
        }
    }
}
