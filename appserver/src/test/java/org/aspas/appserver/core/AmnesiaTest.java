package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A server that may have signed what it no longer holds takes no part, and follows the others. */
class AmnesiaTest {
    private static final int WHO = 1;
    private static final int LIAR = 3;

    private final Deployment world = new Deployment(3);

    private AppServerCore core() {
        return world.cores.get(WHO);
    }

    private void update(TestClient client, int times) {
        for (int i = 0; i < times; i++) {
            client.update("x", "pn-counter", Operation.of("increment", Value.of(1)));
            world.run(100);
        }
    }

    /** Its clients wrote, its store is gone, and a client of another server goes on. */
    private void forget() {
        TestClient before = world.client(1, WHO);
        before.open();
        world.run(100);
        update(before, 5);
        world.run(2_000);
        world.lose(WHO);
        TestClient other = world.client(2, 2);
        other.open();
        world.run(100);
        update(other, 5);
        world.run(3_000);
    }

    @Test
    void whatTheShellSaysOfTheStoreHoldsWhateverPeersSay() {
        AppServerCore lost = AppServerCore.recover(
                world.settings.get(WHO),
                StoredHistory.of(List.of()),
                new StoreState.Amnesiac("another store lies here"));
        assertThat(lost.status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(lost.status().why()).contains("another store lies here");
        assertThat(lost.status().ready()).isFalse();
        assertThat(AppServerCore.recover(world.settings.get(WHO), StoredHistory.of(List.of()), StoreState.GOOD)
                        .status()
                        .state())
                .isEqualTo(ServerState.SERVING);
    }

    @Test
    void itFollowsTheOthersAndReportsNothing() {
        forget();
        assertThat(core().status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(core().version()).isEqualTo(world.cores.get(2).version());
        assertThat(core().version().get(WHO)).as("own entries come from others").isEqualTo(6);
        assertThat(core().newestCertificate().map(Certificate::hash))
                .isEqualTo(world.cores.get(2).newestCertificate().map(Certificate::hash));
        assertThat(core().status().counters()).doesNotContainKeys("reports", "stables", "batches_sent");
        assertThat(world.cores.get(2).status().blacklist()).isEmpty();
    }

    @Test
    void itServesCertifiedReadsWithoutASessionAndNothingElse() {
        forget();
        TestClient reader = world.client(3, WHO);
        long certified = reader.read("x", "pn-counter", true, 0);
        long live = reader.read("x", "pn-counter", false, 0);
        world.run(100);
        assertThat(reader.answer(certified, false)).isPresent();
        assertThat(reader.answer(live, false)).isEmpty();
        reader.open();
        world.run(100);
        assertThat(reader.refusals())
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.AMNESIAC));
        assertThat(reader.refusals().get(0))
                .as("the refusal of the read names it")
                .matches(refusal -> refusal.read() && refusal.reference() == live);
        assertThat(core().version().get(WHO)).isEqualTo(6);
    }

    /** Its log is as long as it ever was by then, with entries of others' copies: only the record tells. */
    @Test
    void itStaysSoWhenItStartsAgain() {
        forget();
        world.crash(WHO);
        assertThat(core().status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(core().version().get(WHO)).isEqualTo(6);
    }

    /** It reported while it was whole; a bftserver whose link comes back after that hears nothing of it. */
    @Test
    void itRepeatsNoReportAtANewLink() {
        TestClient client = world.client(1, WHO);
        client.open();
        world.run(100);
        update(client, 5);
        world.run(1_000);
        assertThat(core().status().counters()).containsKey("reports");
        List<Effect> said = new ArrayList<>();
        world.seen = (server, effect) -> {
            if (server == WHO
                    && effect instanceof Effect.ToNodeSigned sent
                    && sent.to().role() == Role.BFTSERVER) {
                said.add(effect);
            }
        };
        Event connected = new Event.NodeConnected(NodeId.bftserver(0));
        world.step(WHO, connected);
        assertThat(said).as("while it is whole").isNotEmpty();
        Signed<Head> later = world.settings.get(WHO).sealer().seal(new Head(WHO, 99, Hash.ZERO));
        Frontier shown = new Frontier(core().version(), List.of(later), CertificateNumber.NONE);
        world.step(WHO, new Event.NodeFrame(NodeId.appserver(2), new Frame.Plain(shown)));
        assertThat(core().status().state()).isEqualTo(ServerState.AMNESIAC);
        world.run(100);
        said.clear();
        world.step(WHO, connected);
        world.run(100);
        assertThat(said).isEmpty();
    }

    /** Two servers recomputed what a liar answered, and so can it; it gives no word about it, as about nothing else. */
    @Test
    void itJudgesNoAnswers() {
        forget();
        TestClient client = world.client(4, LIAR);
        client.open();
        Question question = Question.of(client.update("y", "pn-counter", Operation.of("increment", Value.of(2))));
        world.run(1_000);
        Response told = client.answer(1, true).orElseThrow().response().message();
        Signed<Response> lie = world.sealer(1, LIAR)
                .seal(new Response(
                        told.server(),
                        told.sequence(),
                        told.client(),
                        told.reference(),
                        Value.of(77),
                        told.dot(),
                        told.leaf(),
                        told.version(),
                        told.roots(),
                        told.certificate(),
                        told.certificateDigest()));
        List<Signed<InspectReply>> replies = new ArrayList<>();
        for (int server = 0; server < 4; server++) {
            if (server != WHO && server != LIAR) {
                TestClient asker = world.client(50 + server, server);
                asker.ask(new Inspect(asker.id(), 1, lie, question));
                world.run(20);
                replies.add(asker.newest(InspectReply.class).orElseThrow());
            }
        }
        Event shown =
                new Event.NodeFrame(NodeId.appserver(LIAR), new Frame.Plain(new WrongAnswer(lie, question, replies)));
        assertThat(core().version()).isEqualTo(world.cores.get(2).version());
        Set<Integer> words = new TreeSet<>();
        world.seen = (server, effect) -> {
            if (effect instanceof Effect.ToNodeSigned sent && sent.signed().message() instanceof Blacklist) {
                words.add(server);
            }
        };
        world.open = (from, to) -> false;
        world.step(2, shown);
        world.step(WHO, shown);
        world.run(100);
        assertThat(words).containsOnly(2);
    }
}
