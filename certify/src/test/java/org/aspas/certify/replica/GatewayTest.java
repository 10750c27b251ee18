package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** What passes into the order, and that no appserver can keep another one's words from it. Time is the test's. */
class GatewayTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {6});
    private static final int COMMAND_BYTES = 2_000;
    private static final Signers SIGNERS = Signers.of(DEPLOYMENT);
    private static final List<Sealer> APPSERVERS = SIGNERS.appservers();
    private static final List<Sealer> BFTSERVERS = SIGNERS.bftservers();
    private static final int LIAR = 3;

    private final List<byte[]> submitted = new ArrayList<>();
    private long now = 1;
    private boolean leads;
    private BftServerCore core = core(0);

    private static BftServerCore core(long relayedBytes) {
        BftServerCore core = new BftServerCore(
                new ReplicaSettings(
                        0,
                        SIGNERS.members(),
                        BFTSERVERS.get(0),
                        new MachineSettings(4, 20),
                        100,
                        COMMAND_BYTES,
                        relayedBytes),
                new RecordState(),
                DEPLOYMENT);
        core.step(new Event.Tick(1, false, false));
        return core;
    }

    private void step(Event event) {
        for (Effect effect : core.step(event)) {
            if (effect instanceof Effect.Relay relay) {
                submitted.add(relay.command().bytes());
            }
        }
    }

    private static byte[] sealed(int server, Message message) {
        return Codec.encode(APPSERVERS.get(server).seal(message));
    }

    private static byte[] report(int server, long number) {
        return sealed(server, new VertObft(server, VersionVector.of(number, 0, 0, 0), List.of()));
    }

    private static byte[] verdict(int server, long number) {
        Head one = new Head(2, number, Hash.ZERO);
        Head other = new Head(2, number, DEPLOYMENT);
        return sealed(
                server,
                new Verdict(
                        server,
                        new ForkedHeads(
                                APPSERVERS.get(2).seal(one), APPSERVERS.get(2).seal(other)),
                        List.of()));
    }

    private static boolean chosen(byte[] command, int replica) {
        return Math.floorMod(Hash.sha256(command).hashCode(), BFTSERVERS.size()) == replica;
    }

    /** The first report from a number on that the hash gives to this replica, or to another one. */
    private static byte[] report(int server, long from, boolean here) {
        long number = from;
        while (chosen(report(server, number), 0) != here) {
            number++;
        }
        return report(server, number);
    }

    /** A verdict that this bftserver submits. */
    private static byte[] verdictHere(int server) {
        long number = 1;
        while (!chosen(verdict(server, number), 0)) {
            number++;
        }
        return verdict(server, number);
    }

    private void receive(int server, byte[] command) {
        step(new Event.Received(NodeId.appserver(server), new Command(command)));
    }

    private void ordered(byte[] command) {
        core.apply(command.clone());
        step(new Event.Advanced());
    }

    private void after(long passed) {
        now += passed;
        step(new Event.Tick(now, false, leads));
    }

    private long submissions(byte[] command) {
        return submitted.stream().filter(one -> Arrays.equals(one, command)).count();
    }

    /** Three bftservers have their records, and three appservers have an entry: the machine asks for it. */
    private void asks() {
        for (int replica = 1; replica < 4; replica++) {
            ordered(Codec.encode(BFTSERVERS
                    .get(replica)
                    .seal(new Recover(
                            replica, DEPLOYMENT, Hash.ZERO, true, Epoch.NONE, CertificateNumber.NONE, 0, null))));
        }
        Signed<Head> head = APPSERVERS.get(0).seal(new Head(0, 1, Hash.ZERO));
        for (int server = 0; server < 3; server++) {
            ordered(sealed(server, new VertObft(server, VersionVector.of(1, 0, 0, 0), List.of(head))));
        }
    }

    @Test
    void aReportWaitsWhileAQuestionIsOpen() {
        byte[] none = core.snapshot();
        asks();
        byte[] report = report(0, 2, true);
        receive(0, report);
        byte[] verdict = verdictHere(1);
        receive(1, verdict);
        assertThat(submitted).containsExactly(verdict);
        core.restore(none);
        step(new Event.Advanced());
        assertThat(submissions(report)).isEqualTo(1);
    }

    /** A question that stays open may end with another one, which is about what the order knows by then. */
    @Test
    void aReportDoesNotWaitForLong() {
        asks();
        byte[] here = report(0, 2, true);
        byte[] elsewhere = report(1, 2, false);
        receive(0, here);
        receive(1, elsewhere);
        after(AppserverQueue.KEPT_BACK_MILLIS - 1);
        assertThat(submitted).isEmpty();
        after(1);
        assertThat(submitted).containsExactly(here);
        after(AppserverQueue.FALLBACK_MILLIS - 1);
        assertThat(submitted).hasSize(1);
        after(1);
        assertThat(submitted).containsExactly(here, elsewhere);
    }

    @Test
    void theChosenReplicaSubmitsAtOnceAndTheOthersWhenItIsNotOrdered() {
        byte[] here = report(0, 1, true);
        byte[] elsewhere = report(1, 1, false);
        byte[] ordered = report(2, 1, false);
        receive(0, here);
        receive(1, elsewhere);
        receive(2, ordered);
        assertThat(submitted).containsExactly(here);
        ordered(ordered);
        after(AppserverQueue.FALLBACK_MILLIS);
        assertThat(submitted).containsExactly(here, elsewhere);
        after(AppserverQueue.FALLBACK_MILLIS);
        assertThat(submitted).hasSize(2);
        receive(2, ordered);
        after(AppserverQueue.AGAIN_MILLIS);
        assertThat(submitted).hasSize(2);
    }

    /** Its requests are at the leader at once, so what the hash gives to others need not wait for their way. */
    @Test
    void whoLeadsTheOrderSubmitsAtOnceToo() {
        leads = true;
        after(1);
        byte[] elsewhere = report(1, 1, false);
        receive(1, elsewhere);
        assertThat(submitted).containsExactly(elsewhere);
        ordered(elsewhere);
        leads = false;
        after(1);
        byte[] next = report(1, 100, false);
        receive(1, next);
        assertThat(submissions(next)).isZero();
    }

    @Test
    void whatWasLostPassesAgainWhenItComesAgain() {
        byte[] here = report(0, 1, true);
        receive(0, here);
        receive(0, here);
        assertThat(submissions(here)).isEqualTo(1);
        after(AppserverQueue.AGAIN_MILLIS);
        receive(0, here);
        assertThat(submissions(here)).isEqualTo(2);
        after(AppserverQueue.FORGET_MILLIS);
        receive(0, here);
        assertThat(submissions(here)).isEqualTo(3);
    }

    @Test
    void othersWordsAndWhatIsTooLongAreRefused() {
        byte[] forged = report(0, 1, true);
        forged[forged.length - 1] ^= 1;
        receive(0, forged);
        receive(1, report(0, 1, true));
        receive(0, sealed(0, new Head(0, 1, Hash.ZERO)));
        step(new Event.Received(NodeId.bftserver(0), new Command(report(0, 1, true))));
        receive(0, new byte[COMMAND_BYTES + 1]);
        after(AppserverQueue.FALLBACK_MILLIS);
        assertThat(submitted).isEmpty();
    }

    @Test
    void aFloodOfOneAppserverKeepsNothingOfAnotherOneBack() {
        byte[] honest = report(0, 1, false);
        receive(0, honest);
        for (int number = 1; number <= 5_000; number++) {
            receive(LIAR, report(LIAR, number));
        }
        assertThat(submitted).hasSizeLessThanOrEqualTo(1);
        after(AppserverQueue.FALLBACK_MILLIS);
        assertThat(submissions(honest)).isEqualTo(1);
        assertThat(submitted).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void theNewestReportFollowsTheOneThatIsUnderWay() {
        byte[] first = report(LIAR, 1, true);
        receive(LIAR, first);
        byte[] last = first;
        for (int i = 1; i <= 10; i++) {
            last = report(LIAR, 1000L * i, true);
            receive(LIAR, last);
        }
        assertThat(submitted).containsExactly(first);
        ordered(first);
        after(1);
        assertThat(submitted).containsExactly(first, last);
        byte[] newest = report(LIAR, 20_000, true);
        receive(LIAR, newest);
        after(AppserverQueue.AGAIN_MILLIS);
        assertThat(submitted).as("although the last one was lost").containsExactly(first, last, newest);
    }

    @Test
    void afterABftserverStoodStillOneReportOfAnAppserverIsUnderWay() {
        byte[] elsewhere = report(0, 1, false);
        receive(0, elsewhere);
        after(20 * AppserverQueue.AGAIN_MILLIS);
        byte[] newer = report(0, 1_000, true);
        receive(0, newer);
        after(1);
        assertThat(submitted).containsExactly(elsewhere);
        after(AppserverQueue.AGAIN_MILLIS);
        assertThat(submitted).containsExactly(elsewhere, newer);
    }

    @Test
    void aFewVerdictsOfOneAppserverWaitAndRoomComesBack() {
        core = core(1 << 20);
        for (int number = 1; number <= 100; number++) {
            receive(LIAR, verdict(LIAR, number));
        }
        byte[] honest = verdict(0, 1);
        receive(0, honest);
        after(AppserverQueue.FALLBACK_MILLIS);
        assertThat(submitted).hasSize(AppserverQueue.VERDICTS + 1);
        assertThat(submissions(honest)).isEqualTo(1);
        List.copyOf(submitted).forEach(this::ordered);
        receive(LIAR, verdict(LIAR, 100));
        after(AppserverQueue.FALLBACK_MILLIS);
        assertThat(submitted).hasSize(AppserverQueue.VERDICTS + 2);
    }

    @Test
    void waitingVerdictsOfOneAppserverAreBoundedInBytes() {
        int fit = COMMAND_BYTES / verdict(LIAR, 1).length;
        assertThat(fit).isBetween(1, AppserverQueue.VERDICTS + 4);
        for (int number = 1; number <= 20; number++) {
            receive(LIAR, verdict(LIAR, number));
        }
        after(AppserverQueue.FALLBACK_MILLIS);
        assertThat(submitted).hasSize(Math.min(fit, AppserverQueue.VERDICTS));
    }
}
