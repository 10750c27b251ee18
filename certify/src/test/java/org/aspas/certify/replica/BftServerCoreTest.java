package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** What a bftserver does at each event; above all, that nothing it promises leaves before its record is durable. */
class BftServerCoreTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {8});
    private static final Signers SIGNERS = Signers.of(DEPLOYMENT);
    private static final List<Sealer> APPSERVERS = SIGNERS.appservers();
    private static final List<Sealer> BFTSERVERS = SIGNERS.bftservers();
    private static final long STEP = 100;

    private static final ReplicaSettings SETTINGS = settings();

    private final BftServerCore core = core(new RecordState());

    private static ReplicaSettings settings() {
        MachineSettings machine = new MachineSettings(2, 8);
        return new ReplicaSettings(0, SIGNERS.members(), BFTSERVERS.get(0), machine, STEP, 10_000, 0);
    }

    private static BftServerCore core(RecordState record) {
        return new BftServerCore(SETTINGS, record, start(0));
    }

    private static Hash start(int replica) {
        return Hash.sha256(new byte[] {5, (byte) replica});
    }

    private static List<Kind> submitted(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.Submit.class::isInstance)
                .map(effect ->
                        Signers.message(((Effect.Submit) effect).command()).kind())
                .toList();
    }

    private List<Effect> tick(long millis) {
        return core.step(new Event.Tick(millis, true, false));
    }

    private List<Effect> ordered(Sealer signer, Message message) {
        core.apply(Codec.encode(signer.seal(message)));
        return core.step(new Event.Advanced());
    }

    /** It lost its record; the others say that theirs are complete, and hold nothing. */
    private List<Effect> begin() {
        List<Effect> effects = new ArrayList<>();
        for (int other = 1; other < 4; other++) {
            effects.addAll(ordered(
                    BFTSERVERS.get(other),
                    new Recover(other, start(other), start(0), true, Epoch.NONE, CertificateNumber.NONE, 0, null)));
        }
        return effects;
    }

    @Test
    void itSaysWhatItsRecordHoldsWhenItTakesPartAndAgainUntilThatIsOrdered() {
        assertThat(core.step(new Event.Tick(1, false, false))).isEmpty();
        assertThat(submitted(tick(2))).containsExactly(Kind.RECOVER);
        assertThat(submitted(tick(3))).isEmpty();
        assertThat(submitted(tick(1_002))).contains(Kind.RECOVER);
        core.step(new Event.Tick(1_003, false, false));
        assertThat(submitted(tick(1_004))).as("takes part again").contains(Kind.RECOVER);
    }

    @Test
    void itSaysThatItsRecordIsCompleteUntilThatIsOrderedToo() {
        tick(1);
        ordered(BFTSERVERS.get(0), statement(0, Hash.ZERO, false));
        List<Effect> learned = begin();
        Ticket last = ((Effect.Persist) learned.get(learned.size() - 1)).ticket();
        assertThat(submitted(core.step(new Event.Persisted(last)))).contains(Kind.RECOVER);
        assertThat(submitted(tick(1_100))).as("what was submitted may be lost").contains(Kind.RECOVER);
        ordered(BFTSERVERS.get(0), statement(0, Hash.ZERO, true));
        assertThat(submitted(tick(2_200))).doesNotContain(Kind.RECOVER);
    }

    private static Recover statement(int replica, Hash answers, boolean complete) {
        return new Recover(replica, start(replica), answers, complete, Epoch.NONE, CertificateNumber.NONE, 0, null);
    }

    @Test
    void nothingThatRestsOnTheRecordLeavesBeforeItIsDurable() {
        List<Effect> effects = begin();
        assertThat(effects).filteredOn(Effect.Persist.class::isInstance).isNotEmpty();
        int persisted = IntStream.range(0, effects.size())
                .filter(at -> effects.get(at) instanceof Effect.Persist)
                .findFirst()
                .orElseThrow();
        assertThat(effects.subList(persisted, effects.size())).allMatch(Effect.Persist.class::isInstance);
        Ticket last = ((Effect.Persist) effects.get(effects.size() - 1)).ticket();
        Ticket taught = effects.stream()
                .filter(effect -> effect instanceof Effect.Persist item && item.item() instanceof RecordItem.Taught)
                .map(effect -> ((Effect.Persist) effect).ticket())
                .findFirst()
                .orElseThrow();
        assertThat(core.step(new Event.Persisted(new Ticket(taught.value() - 1))))
                .as("before it is durable that it was taught")
                .allMatch(effect -> !(effect instanceof Effect.Submit submit)
                        || !((Recover) Signers.message(submit.command())).knowing());
        assertThat(core.step(new Event.Persisted(last))).isNotEmpty();
        assertThat(core.signs()).isTrue();
    }

    /** Only what a bftserver says of itself counts before it is ordered; who gave it is known by the link. */
    @Test
    void onlyItsOwnWordIsHeardOfABftserver() {
        CommandAdmission admission = new CommandAdmission(SETTINGS);
        Command accept =
                new Command(Codec.encode(BFTSERVERS.get(1).seal(new Accept(1, CertificateNumber.FIRST, 1, Hash.ZERO))));
        Command commit =
                new Command(Codec.encode(BFTSERVERS.get(1).seal(new Commit(1, CertificateNumber.FIRST, 1, Hash.ZERO))));
        Command vote = new Command(Codec.encode(BFTSERVERS.get(1).seal(new Tick(1, 1))));
        assertThat(admission.hears(NodeId.bftserver(1), accept)).isTrue();
        assertThat(admission.hears(NodeId.bftserver(1), commit)).isTrue();
        assertThat(admission.hears(NodeId.bftserver(1), vote)).isFalse();
        assertThat(admission.hears(NodeId.bftserver(2), accept)).isFalse();
        assertThat(admission.hears(NodeId.bftserver(2), commit)).isFalse();
        assertThat(admission.hears(NodeId.appserver(1), accept)).isFalse();
        Command stranger =
                new Command(Codec.encode(BFTSERVERS.get(1).seal(new Accept(4, CertificateNumber.FIRST, 1, Hash.ZERO))));
        assertThat(admission.hears(NodeId.bftserver(4), stranger)).isFalse();
        assertThat(admission.hears(NodeId.bftserver(1), new Command(new byte[100])))
                .isFalse();
    }

    @Test
    void whatIsNotOfTheRecordDoesNotWaitForIt() {
        begin();
        VertObft report = new VertObft(2, VersionVector.of(1, 0, 0, 0), List.of());
        Command command = new Command(Codec.encode(APPSERVERS.get(2).seal(report)));
        List<Effect> effects = new ArrayList<>(core.step(new Event.Received(NodeId.appserver(2), command)));
        for (long now = 1; now < 2_000; now += core.tickMillis()) {
            effects.addAll(tick(now));
        }
        assertThat(effects).contains(new Effect.Relay(NodeId.appserver(2), command));
        assertThat(submitted(effects)).contains(Kind.TICK).containsOnly(Kind.TICK);
    }

    @Test
    void whoseRecordFailedPromisesNothingAndStillRelaysAndVotes() {
        List<Effect> effects = begin();
        assertThat(effects).isNotEmpty();
        assertThat(core.step(new Event.RecordFailed())).isEmpty();
        assertThat(core.signs()).isFalse();
        Ticket last = effects.stream()
                .filter(Effect.Persist.class::isInstance)
                .map(effect -> ((Effect.Persist) effect).ticket())
                .max(Comparator.comparingLong(Ticket::value))
                .orElseThrow();
        assertThat(core.step(new Event.Persisted(last))).as("too late").isEmpty();
        assertThat(core.step(new Event.Connected(NodeId.appserver(0)))).isEmpty();
        List<Effect> later = new ArrayList<>();
        for (long now = 1; now < 3_000; now += core.tickMillis()) {
            later.addAll(tick(now));
        }
        assertThat(submitted(later)).contains(Kind.TICK).containsOnly(Kind.TICK);
    }

    @Test
    void aVoteIsForTheStepAfterTheCurrentOne() {
        List<Effect> effects = new ArrayList<>();
        for (long now = 1; now < 2_000; now += core.tickMillis()) {
            effects.addAll(tick(now));
        }
        assertThat(effects.stream()
                        .filter(Effect.Submit.class::isInstance)
                        .map(effect -> Signers.message(((Effect.Submit) effect).command()))
                        .filter(Tick.class::isInstance))
                .containsExactly(new Tick(0, 1));
        ordered(BFTSERVERS.get(1), new Tick(1, 1));
        ordered(BFTSERVERS.get(2), new Tick(2, 1));
        assertThat(core.orderedTime()).isEqualTo(1);
    }

    @Test
    void theNextProcessGoesOnWithWhatWasPersisted() {
        RecordState disk = new RecordState();
        for (Effect effect : begin()) {
            if (effect instanceof Effect.Persist persist) {
                disk.apply(RecordItem.read(persist.item().toBytes()).orElseThrow());
            }
        }
        assertThat(core(new RecordState()).signs()).isFalse();
        assertThat(core(disk).signs()).isTrue();
    }
}
