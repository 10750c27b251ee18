package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Accepted;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ACCEPTs and COMMITs that are ordered before the answers. Every command also tests snapshot and restore. */
class BufferedVotesTest {
    private final World world = new World(1);
    private Decided foreseen;

    @BeforeEach
    void foresee() {
        write();
        foreseen =
                world.first().foreseen(List.of(answer(0), answer(1), answer(2))).orElseThrow();
    }

    private void write() {
        for (int origin = 0; origin < world.servers(); origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll();
    }

    private Stable answer(int server) {
        return world.answer(server, world.question());
    }

    /** The answer that decides. */
    private List<Outcome> decide() {
        world.order(world.byAppserver(0, answer(0)));
        world.order(world.byAppserver(1, answer(1)));
        return world.order(world.byAppserver(2, answer(2)));
    }

    private boolean taken(Signed<?> word) {
        byte[] before = world.first().snapshot();
        world.order(word);
        return !Arrays.equals(before, world.first().snapshot());
    }

    private void accepts(int... replicas) {
        for (int replica : replicas) {
            assertThat(world.order(world.accept(replica, foreseen))).isEmpty();
        }
    }

    private void commits(int... replicas) {
        for (int replica : replicas) {
            assertThat(world.order(world.commit(replica, foreseen))).isEmpty();
        }
    }

    private static List<Class<?>> kinds(List<Outcome> outcomes) {
        List<Class<?>> kinds = new ArrayList<>();
        outcomes.forEach(outcome -> kinds.add(outcome.getClass()));
        return kinds;
    }

    @Test
    void theDecidingAnswerDoesAllAtOnce() {
        accepts(0, 1, 3);
        commits(3, 0, 1);
        world.write(0, 1);
        world.receiveAll();
        world.reportAll();
        world.ticks(world.settings.epochTicks());
        assertThat(kinds(decide())).containsExactly(Decided.class, Accepted.class, ReadyToSign.class, Ask.class);
        assertThat(world.first().certificate()).isEqualTo(CertificateNumber.FIRST);
        assertThat(world.first().openAcceptance()).isEmpty();
    }

    @Test
    void commitsMayComeBeforeAccepts() {
        commits(3, 0, 1);
        accepts(1, 0, 3);
        assertThat(kinds(decide())).containsExactly(Decided.class, Accepted.class, ReadyToSign.class);
    }

    @Test
    void tooFewProveNothingAndCountAllTheSame() {
        accepts(0, 1);
        commits(0, 1);
        assertThat(kinds(decide())).containsExactly(Decided.class);
        assertThat(kinds(world.order(world.accept(2, foreseen)))).containsExactly(Accepted.class);
        assertThat(kinds(world.order(world.commit(3, foreseen)))).containsExactly(ReadyToSign.class);
    }

    @Test
    void aProofHasNoMoreWordsThanItNeeds() {
        accepts(0, 1, 2, 3);
        Accepted accepted = (Accepted) decide().get(1);
        assertThat(accepted.proven().accepts()).hasSize(3);
    }

    @Test
    void wordsOfAnotherContentOrAttemptCountNothing() {
        world.order(world.byBftserver(0, new Accept(0, CertificateNumber.FIRST, 1, Hash.ZERO)));
        world.order(world.byBftserver(1, new Accept(1, CertificateNumber.FIRST, 2, foreseen.hash())));
        accepts(2, 3);
        assertThat(kinds(decide())).containsExactly(Decided.class);
    }

    @Test
    void soItIsWithCommits() {
        world.order(world.byBftserver(0, new Commit(0, CertificateNumber.FIRST, 1, Hash.ZERO)));
        world.order(world.byBftserver(1, new Commit(1, CertificateNumber.FIRST, 2, foreseen.hash())));
        accepts(0, 1, 2);
        commits(2, 3);
        assertThat(kinds(decide())).containsExactly(Decided.class, Accepted.class);
    }

    @Test
    void ofAReplicaTheWordOfTheHighestAttemptStays() {
        assertThat(taken(world.accept(0, foreseen))).isTrue();
        assertThat(taken(world.accept(0, foreseen))).isFalse();
        Accept higher = new Accept(0, CertificateNumber.FIRST, 2, foreseen.hash());
        assertThat(taken(world.byBftserver(0, higher))).isTrue();
        assertThat(taken(world.accept(0, foreseen))).as("an older one").isFalse();
        assertThat(taken(world.commit(1, foreseen))).isTrue();
        assertThat(taken(world.commit(1, foreseen))).isFalse();
        assertThat(taken(world.byBftserver(1, new Commit(1, CertificateNumber.FIRST, 2, foreseen.hash()))))
                .isTrue();
        assertThat(taken(world.commit(1, foreseen))).as("an older one").isFalse();
    }

    @Test
    void onlyWhatAReplicaSignedWaits() {
        Signed<Accept> own = world.accept(0, foreseen);
        assertThat(taken(new Signed<>(
                        own.message(), own.payload(), world.accept(1, foreseen).signature())))
                .isFalse();
        assertThat(taken(world.byBftserver(1, own.message())))
                .as("of another one")
                .isFalse();
        Signed<Commit> commit = world.commit(0, foreseen);
        assertThat(taken(world.byBftserver(1, commit.message()))).isFalse();
        assertThat(taken(world.byBftserver(1, new Commit(4, CertificateNumber.FIRST, 1, foreseen.hash()))))
                .as("of nobody")
                .isFalse();
    }

    @Test
    void wordsWaitForTheNumberThatIsAskedForAlone() {
        Accept next = new Accept(0, CertificateNumber.FIRST.next(), 1, foreseen.hash());
        Commit nextCommit = new Commit(0, next.number(), 1, foreseen.hash());
        assertThat(taken(world.byBftserver(0, next))).isFalse();
        assertThat(taken(world.byBftserver(0, nextCommit))).isFalse();
        world.answerAll();
        world.acceptAll();
        assertThat(world.first().openQuestion()).isEmpty();
        assertThat(taken(world.byBftserver(0, next))).as("nothing is asked").isFalse();
        assertThat(taken(world.byBftserver(0, nextCommit))).isFalse();
    }

    @Test
    void whetherWordsComeBeforeTheAnswersOrAfterMakesNoDifference() {
        World after = new World(1);
        for (int origin = 0; origin < after.servers(); origin++) {
            after.write(origin, 2);
        }
        after.receiveAll();
        after.reportAll();
        Ask ask = after.question();
        for (int server = 0; server < 3; server++) {
            after.order(after.byAppserver(server, after.answer(server, ask)));
        }
        after.order(after.accept(2, foreseen));
        after.order(after.commit(1, foreseen));
        world.order(world.accept(2, foreseen));
        world.order(world.commit(1, foreseen));
        decide();
        assertThat(world.first().snapshot()).isEqualTo(after.first().snapshot());
    }

    /** Whose answer is wrong is convicted by those that decide, and cut at the content that they decided. */
    @Test
    void aConvictionWaitsForTheContentThatIsSettledAtOnce() {
        Stable wrong = World.withState(answer(3), Hash.sha256(new byte[] {7}));
        world.ticks(world.settings.epochTicks());
        world.order(world.byAppserver(3, wrong));
        accepts(0, 1, 2);
        commits(0, 1, 2);
        world.order(world.byAppserver(0, answer(0)));
        List<Outcome> outcomes = world.order(world.byAppserver(1, answer(1)));
        assertThat(kinds(outcomes))
                .containsExactly(Decided.class, Accepted.class, Outcome.Convicted.class, ReadyToSign.class, Ask.class);
        assertThat(((Ask) outcomes.get(4)).exclusions())
                .singleElement()
                .satisfies(cut -> assertThat(cut.cut()).isEqualTo(2));
    }

    /** A liar can show a proof before the answers are ordered: it ends the question as they would. */
    @Test
    void aProofThatIsShownGoesOnInItsOwnAttempt() {
        commits(0, 1, 3);
        List<Stable> late = List.of(answer(0), answer(1), answer(2));
        List<Signed<Accept>> words =
                List.of(world.accept(0, foreseen), world.accept(1, foreseen), world.accept(3, foreseen));
        ReadyToSign proof = new ReadyToSign(new ProvenContent(foreseen.content(), foreseen.payload(), words));
        List<Outcome> outcomes = world.order(world.holding(3, proof));
        assertThat(kinds(outcomes))
                .containsExactly(Outcome.Recovered.class, Decided.class, Accepted.class, ReadyToSign.class);
        assertThat(((Decided) outcomes.get(1)).attempt()).isEqualTo(foreseen.attempt());
        Stable wrong = World.withState(late.get(2), Hash.ZERO);
        world.order(world.byAppserver(0, late.get(0)));
        world.order(world.byAppserver(1, late.get(1)));
        world.order(world.byAppserver(2, wrong));
        assertThat(world.first().convicted())
                .as("whoever answers late, and wrong")
                .containsExactly(2);
    }

    @Test
    void aSnapshotWithWordsThatDoNotFitIsRefused() {
        accepts(0, 1);
        commits(0, 1);
        byte[] snapshot = world.first().snapshot();
        byte[] first = Codec.encode(world.accept(0, foreseen));
        byte[] second = Codec.encode(world.accept(1, foreseen));
        byte[] commit = Codec.encode(world.commit(0, foreseen));
        byte[] later = Codec.encode(world.commit(1, foreseen));
        refuses(swapped(snapshot, first, second));
        refuses(swapped(snapshot, commit, later));
        refuses(with(snapshot, second, first));
        refuses(with(snapshot, later, commit));
        Accept nobodys = new Accept(4, CertificateNumber.FIRST, 1, foreseen.hash());
        refuses(with(snapshot, second, Codec.encode(world.byBftserver(1, nobodys))));
        world.machine().restore(snapshot);
    }

    private void refuses(byte[] snapshot) {
        CertificationMachine machine = world.machine();
        assertThatIllegalArgumentException().isThrownBy(() -> machine.restore(snapshot));
    }

    private static byte[] with(byte[] in, byte[] before, byte[] after) {
        assertThat(before).hasSameSizeAs(after);
        byte[] out = in.clone();
        System.arraycopy(after, 0, out, at(in, before), after.length);
        return out;
    }

    private static byte[] swapped(byte[] in, byte[] first, byte[] second) {
        byte[] out = with(in, first, second);
        System.arraycopy(first, 0, out, at(in, second), first.length);
        return out;
    }

    private static int at(byte[] in, byte[] wanted) {
        for (int at = 0; at + wanted.length <= in.length; at++) {
            if (Arrays.equals(in, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        throw new AssertionError("it is not there");
    }
}
