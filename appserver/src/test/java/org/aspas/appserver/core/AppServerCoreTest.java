package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.ElementsProof;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four cores and a certification machine under random schedules. */
class AppServerCoreTest {
    private static final String COUNTER = "pn-counter";
    private static final String SET = "aw-set";

    private static Operation increment(long by) {
        return Operation.of("increment", Value.of(by));
    }

    private static Operation add(long element) {
        return Operation.of("add", Value.of(element));
    }

    private static Operation remove(long element) {
        return Operation.of("remove", Value.of(element));
    }

    private static Value certified(Deployment world, int server, String key, String type) {
        TestClient reader = world.client(90 + server, server);
        long nonce = reader.read(key, type, true, 0);
        world.run(40);
        Answer answer = reader.answer(nonce, false).orElseThrow();
        Response response = answer.response().message();
        CertificateContent content = reader.certificate().orElseThrow().content();
        ObjectProof proof = answer.proof();
        Hash path = StateTree.objectPath(key);
        if (proof.type() == null) {
            assertThat(proof.path().provesAbsence(content.state(), path)).isTrue();
        } else {
            ElementsProof elements = proof.elements();
            Hash leaf = elements == null
                    ? StateLeaves.object(key, proof.type(), response.result())
                    : StateLeaves.object(key, proof.type(), elements.size(), elements.root());
            assertThat(proof.path().provesPresence(content.state(), path, leaf)).isTrue();
        }
        assertThat(response.version()).isEqualTo(content.version());
        return response.result();
    }

    private static Value live(Deployment world, int server, String key, String type) {
        TestClient reader = world.client(80 + server, server);
        long nonce = reader.read(key, type, false, 0);
        world.run(40);
        return reader.answer(nonce, false).orElseThrow().response().message().result();
    }

    private static void settled(Deployment world, String what) {
        CoreStatus first = world.cores.get(0).status();
        for (AppServerCore core : world.cores) {
            assertThat(core.status().version()).as(what).isEqualTo(first.version());
            assertThat(core.status().certified()).as(what).isEqualTo(first.version());
            assertThat(core.status().certificate()).as(what).isEqualTo(first.certificate());
            assertThat(core.status().ready()).as(what).isTrue();
            assertThat(core.status().caughtUp()).as(what).isTrue();
        }
        assertThat(world.alarms).as(what).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomUpdatesConvergeAndAreCertifiedAndConfirmed(long seed) {
        Deployment world = new Deployment(seed);
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            TestClient client = world.client(i, i % 4);
            client.open();
            clients.add(client);
        }
        long sum = 0;
        for (int i = 0; i < 300; i++) {
            TestClient client = clients.get(world.random.nextInt(clients.size()));
            if (world.random.nextBoolean()) {
                long by = 1 + world.random.nextInt(5);
                sum += by;
                client.update("counter", COUNTER, increment(by));
            } else {
                long element = world.random.nextInt(10);
                client.update("set", SET, world.random.nextInt(3) == 0 ? remove(element) : add(element));
            }
            world.run(world.random.nextInt(20));
        }
        world.run(5_000);
        String what = "seed " + seed;
        settled(world, what);
        Value set = certified(world, 0, "set", SET);
        for (int server = 0; server < 4; server++) {
            assertThat(certified(world, server, "counter", COUNTER)).as(what).isEqualTo(Value.of(sum));
            assertThat(live(world, server, "counter", COUNTER)).as(what).isEqualTo(Value.of(sum));
            assertThat(certified(world, server, "set", SET)).as(what).isEqualTo(set);
            assertThat(live(world, server, "set", SET)).as(what).isEqualTo(set);
            assertThat(certified(world, server, "nothing", SET)).as(what).isEqualTo(Value.sequence(List.of()));
        }
        clients.forEach(client -> everythingConfirmed(world, client, what));
    }

    private static void everythingConfirmed(Deployment world, TestClient client, String what) {
        Set<Long> confirmed = new HashSet<>();
        for (Confirmation confirmation : client.confirmations()) {
            for (Confirmation.Covered covered : confirmation.covered()) {
                Response response = client.answer(covered.number(), true)
                        .orElseThrow()
                        .response()
                        .message();
                int origin = covered.dot().origin();
                CertificateContent content = confirmation.certificate().content();
                assertThat(response.dot()).isEqualTo(covered.dot());
                assertThat(covered.proof().leafIndex()).isEqualTo(covered.dot().sequence() - 1);
                assertThat(covered.proof().treeSize())
                        .isEqualTo(content.version().get(origin));
                assertThat(covered.proof()
                                .verifies(response.leaf(), content.roots().get(origin)))
                        .as(what)
                        .isTrue();
                confirmed.add(covered.number());
            }
        }
        assertThat(confirmed).as(what).isEqualTo(client.requests.keySet());
        client.requests.keySet().forEach(number -> leafRecomputes(world, client, number));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void leafRecomputes(Deployment world, TestClient client, long number) {
        Signed<Response> signed = client.answer(number, true).orElseThrow().response();
        Response response = signed.message();
        Entry entry = new Entry(
                response.dot(),
                response.version().with(client.server, response.dot().sequence() - 1),
                (Signed) client.requests.get(number));
        assertThat(MerkleTree.leafHash(Codec.encode(entry))).isEqualTo(response.leaf());
        assertThat(signed.verify(
                        world.verifier,
                        world.sealer(1, client.server).publicKey(),
                        org.aspas.certify.identity.Domain.RESPONSE))
                .isTrue();
    }

    @Test
    void anAnswerNeedsNoOtherServerButDurability() {
        Deployment world = new Deployment(7);
        world.open = (from, to) -> false;
        TestClient client = world.client(1, 2);
        client.open();
        client.update("c", COUNTER, increment(3));
        assertThat(client.answer(1, true)).isEmpty();
        world.run(20);
        Response response = client.answer(1, true).orElseThrow().response().message();
        assertThat(response.result()).isEqualTo(Value.of(3));
        assertThat(response.certificate()).isEqualTo(CertificateNumber.NONE);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void aResubmittedUpdateHasOneEffect(long seed) {
        Deployment world = new Deployment(seed);
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < 10; i++) {
            client.update("c", COUNTER, increment(1));
            client.update("s", SET, add(i));
        }
        world.run(world.random.nextInt(400));
        client.move(1);
        client.requests.values().forEach(client::resend);
        world.run(world.random.nextInt(400));
        client.requests.values().forEach(client::resend);
        client.update("s", SET, remove(3));
        client.move(2);
        client.requests.values().forEach(client::resend);
        world.run(6_000);
        settled(world, "seed " + seed);
        for (int server = 0; server < 4; server++) {
            assertThat(live(world, server, "c", COUNTER)).as("seed " + seed).isEqualTo(Value.of(10));
            assertThat(certified(world, server, "c", COUNTER))
                    .as("seed " + seed)
                    .isEqualTo(Value.of(10));
            Value set = certified(world, server, "s", SET);
            assertThat(((Value.Sequence) set).items()).as("seed " + seed).hasSize(9);
            assertThat(live(world, server, "s", SET)).as("seed " + seed).isEqualTo(set);
        }
    }

    @Test
    void whatASelectiveOriginSendsToOneReachesAll() {
        Deployment world = new Deployment(21);
        NodeId selective = NodeId.appserver(3);
        world.open = (from, to) -> !from.equals(selective) || to.equals(NodeId.appserver(0));
        TestClient client = world.client(1, 3);
        client.open();
        client.update("c", COUNTER, increment(5));
        world.run(4_000);
        assertThat(live(world, 1, "c", COUNTER)).isEqualTo(Value.of(5));
        assertThat(live(world, 2, "c", COUNTER)).isEqualTo(Value.of(5));
        assertThat(certified(world, 1, "c", COUNTER)).isEqualTo(Value.of(5));
    }

    @Test
    void aServerThatWasAwayCatchesUpWithEntriesAndCertificates() {
        Deployment world = new Deployment(22);
        NodeId away = NodeId.appserver(2);
        world.open = (from, to) -> !from.equals(away) && !to.equals(away);
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < 200; i++) {
            client.update("s", SET, add(i));
            world.run(20);
        }
        world.run(1_000);
        assertThat(world.cores.get(0).status().certificate()).isGreaterThan(new CertificateNumber(3));
        assertThat(world.cores.get(2).status().certificate()).isEqualTo(CertificateNumber.NONE);
        world.open = (from, to) -> true;
        world.run(8_000);
        settled(world, "seed 22");
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    void aRestartedServerLosesNothingThatItAcknowledged(long seed) {
        Deployment world = new Deployment(seed);
        TestClient client = world.client(1, 1);
        client.open();
        for (int i = 0; i < 50; i++) {
            client.update("c", COUNTER, increment(1));
            world.run(world.random.nextInt(30));
            if (i % 10 == 9) {
                world.run(10);
                world.crash(1);
                client.move(1);
            }
        }
        world.run(6_000);
        settled(world, "seed " + seed);
        assertThat(certified(world, 3, "c", COUNTER)).isEqualTo(Value.of(50));
        client.resend(client.requests.get(7L));
        world.run(50);
        assertThat(client.answer(7, true)).isPresent();
        assertThat(live(world, 0, "c", COUNTER)).isEqualTo(Value.of(50));
    }

    @Test
    void concurrentTypesUnderOneKeyEndAsOne() {
        Deployment world = new Deployment(41);
        TestClient first = world.client(1, 0);
        TestClient second = world.client(2, 1);
        first.open();
        second.open();
        first.update("k", COUNTER, increment(1));
        second.update("k", SET, add(1));
        world.run(5_000);
        settled(world, "seed 41");
        for (int server = 0; server < 4; server++) {
            String type = world.cores.get(server).status().certificate().isAfter(CertificateNumber.NONE)
                    ? typeOf(world, server)
                    : "";
            assertThat(type).isIn(COUNTER, SET);
            assertThat(type).isEqualTo(typeOf(world, 0));
        }
    }

    private static String typeOf(Deployment world, int server) {
        TestClient reader = world.client(70, server);
        reader.read("k", COUNTER, true, 0);
        world.run(40);
        return reader.refusals().isEmpty() ? COUNTER : SET;
    }

    @Test
    void badInputIsRefusedWithItsReason() {
        Deployment world = new Deployment(51);
        world.certifying = false;
        TestClient client = world.client(1, 0);
        client.update("c", COUNTER, increment(1));
        expect(client, Reason.NO_SESSION);
        client.open();
        client.resend(client.requests.get(1L));
        world.run(20);
        assertThat(client.answer(1, true)).isPresent();
        client.update(5, "c", COUNTER, increment(2));
        expect(client, Reason.BEHIND);
        client.update(2, "c", SET, add(1));
        expect(client, Reason.WRONG_TYPE);
        client.update(2, "c", "no-such-type", add(1));
        expect(client, Reason.WRONG_TYPE);
        client.update(2, "c", COUNTER, add(1));
        expect(client, Reason.BAD_OPERATION);
        client.update(2, "x".repeat(600), COUNTER, increment(1));
        expect(client, Reason.TOO_LARGE);
        client.update(2, "x".repeat(70_000), COUNTER, increment(1));
        expect(client, Reason.TOO_LARGE);
        client.read("c", COUNTER, true, 0);
        expect(client, Reason.NO_CERTIFICATE);
        client.read("c", COUNTER, true, 3);
        expect(client, Reason.BEHIND);
        client.read("c", SET, false, 0);
        expect(client, Reason.WRONG_TYPE);
        client.session--;
        client.open();
        expect(client, Reason.NUMBER_REUSED);
        forged(client);
        expect(client, Reason.BAD_SIGNATURE);
        client.send(Codec.encode(new org.aspas.certify.wire.Pull(0, 0)));
        expect(client, Reason.MALFORMED);
        client.update(2, "c", COUNTER, increment(1));
        world.run(20);
        assertThat(client.answer(2, true).orElseThrow().response().message().result())
                .isEqualTo(Value.of(2));
        client.update(1, "c", COUNTER, increment(2));
        expect(client, Reason.NUMBER_REUSED);
        client.update(3, "c", COUNTER, increment(1));
        expect(client, Reason.EXCLUDED);
    }

    /** A number that was refused once keeps its content: given again, it is entered and has no effect. */
    @Test
    void aRefusedUpdateGivenAgainIsEnteredWithoutEffect() {
        Deployment world = new Deployment(52);
        TestClient client = world.client(1, 0);
        client.open();
        client.update(1, "c", COUNTER, increment(1));
        world.run(20);
        client.update(3, "c", SET, add(1));
        expect(client, Reason.BEHIND);
        client.update(2, "c", SET, add(1));
        expect(client, Reason.WRONG_TYPE);
        client.resend(client.requests.get(2L));
        world.run(20);
        assertThat(client.answer(2, true)).isPresent();
        client.update(3, "c", COUNTER, increment(1));
        world.run(20);
        assertThat(client.answer(3, true).orElseThrow().response().message().result())
                .isEqualTo(Value.of(2));
    }

    private static void forged(TestClient client) {
        Signed<?> right = client.requests.get(1L);
        byte[] signature = right.signature().clone();
        signature[3] ^= 1;
        client.send(Codec.encode(new Signed<>(right.message(), right.payload(), signature)));
    }

    private static void expect(TestClient client, Reason reason) {
        client.deployment.run(20);
        List<Refusal> refusals = client.refusals();
        assertThat(refusals).isNotEmpty();
        assertThat(refusals.get(refusals.size() - 1).reason()).isEqualTo(reason);
        client.received.removeIf(Refusal.class::isInstance);
    }
}
