package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What answers in hand decide is what the order decides by them, and nothing else is foreseen (docs/proofs/early-votes.md). */
class ForeseenTest {
    private static final Hash OTHER = Hash.sha256(new byte[] {1});

    private final World world = new World(1);

    @BeforeEach
    void ask() {
        for (int origin = 0; origin < world.servers(); origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll();
    }

    private List<Stable> answers(int... servers) {
        Ask ask = world.question();
        List<Stable> answers = new ArrayList<>();
        for (int server : servers) {
            answers.add(world.answer(server, ask));
        }
        return answers;
    }

    private Optional<Decided> foreseen(List<Stable> answers) {
        return world.first().foreseen(answers);
    }

    private static Stable changed(
            Stable from, Epoch epoch, long round, Hash previous, VersionVector version, VersionVector closed) {
        return new Stable(
                from.server(), epoch, round, previous, version, from.roots(), closed, from.closedRoots(), from.state());
    }

    /** Of three answers the last one is another one. */
    private Optional<Decided> foreseenWith(UnaryOperator<Stable> last) {
        List<Stable> answers = answers(0, 1, 2);
        answers.set(2, last.apply(answers.get(2)));
        return foreseen(answers);
    }

    @Test
    void threeOfFourForeseeWhatTheOrderDecidesByThem() {
        assertThat(foreseen(answers(0, 1))).isEmpty();
        byte[] before = world.first().snapshot();
        List<Stable> all = answers(3, 1, 0);
        Decided foreseen = foreseen(all).orElseThrow();
        assertThat(world.first().snapshot()).as("nothing has changed").isEqualTo(before);
        world.answerAll(2);
        assertThat(world.first().openAcceptance()).contains(foreseen);
        assertThat(foreseen(all)).as("nothing is asked").isEmpty();
    }

    @Test
    void aWrongStateKeepsNobodyFromForeseeing() {
        Optional<Decided> foreseen = foreseenWith(one -> World.withState(one, OTHER));
        assertThat(foreseen).isEqualTo(foreseen(answers(0, 1, 2))).isPresent();
    }

    @Test
    void rootsThatDifferForeseeNothing() {
        assertThat(foreseenWith(one -> {
                    List<Hash> roots = new ArrayList<>(one.roots());
                    roots.set(3, Hash.ZERO);
                    return new Stable(
                            one.server(),
                            one.epoch(),
                            one.round(),
                            one.previous(),
                            one.version(),
                            roots,
                            one.closed(),
                            one.closedRoots(),
                            one.state());
                }))
                .isEmpty();
    }

    @Test
    void onlyWhatTheOrderWouldTakeCounts() {
        Stable right = answers(2).get(0);
        Epoch epoch = right.epoch();
        assertThat(foreseenWith(
                        one -> changed(one, epoch.next(), one.round(), one.previous(), one.version(), one.closed())))
                .as("another epoch")
                .isEmpty();
        assertThat(foreseenWith(
                        one -> changed(one, epoch, one.round() + 1, one.previous(), one.version(), one.closed())))
                .as("another round")
                .isEmpty();
        assertThat(foreseenWith(one -> changed(one, epoch, one.round(), OTHER, one.version(), one.closed())))
                .as("after another certificate")
                .isEmpty();
        assertThat(foreseenWith(one -> changed(
                        one, epoch, one.round(), one.previous(), one.version().with(0, 9), one.closed())))
                .as("another version")
                .isEmpty();
        assertThat(foreseenWith(one -> changed(
                        one,
                        epoch,
                        one.round(),
                        one.previous(),
                        one.version(),
                        one.closed().with(0, 9))))
                .as("closed beyond the goal")
                .isEmpty();
        assertThat(foreseenWith(any -> right)).isPresent();
    }

    @Test
    void anAnswerWithoutAWordOnEveryOriginDoesNotCount() {
        assertThat(foreseenWith(one -> new Stable(
                        one.server(),
                        one.epoch(),
                        one.round(),
                        one.previous(),
                        one.version(),
                        one.roots().subList(0, 3),
                        one.closed(),
                        one.closedRoots().subList(0, 3),
                        one.state())))
                .isEmpty();
    }

    /** The only new entry depends on one that too few servers hold: the question is decided, and nothing is certified. */
    @Test
    void whereNothingNewIsClosedNothingIsForeseen() {
        World apart = new World(1);
        apart.write(3, 1);
        apart.receiveAll(0);
        apart.write(0, 1);
        VersionVector shared = VersionVector.of(1, 0, 0, 0);
        for (int server = 0; server < 3; server++) {
            apart.order(apart.report(server, server == 0 ? apart.held.get(0) : shared));
        }
        Ask ask = apart.question();
        assertThat(ask.version()).isEqualTo(shared);
        List<Stable> answers = List.of(apart.answer(0, ask), apart.answer(1, ask), apart.answer(2, ask));
        assertThat(answers.get(0).closed()).isEqualTo(VersionVector.zero(4));
        assertThat(apart.first().foreseen(answers)).isEmpty();
        apart.answerAll(3);
        assertThat(apart.first().openQuestion()).isEmpty();
        assertThat(apart.first().openAcceptance()).isEmpty();
    }

    @Test
    void theAnswerOfOneWhoIsConvictedDoesNotCount() {
        Stable wrong = World.withState(answers(3).get(0), OTHER);
        world.order(world.byAppserver(3, wrong));
        world.answerAll(3);
        world.acceptAll();
        for (int origin = 0; origin < 3; origin++) {
            world.write(origin, 1);
        }
        world.receiveAll();
        world.reportAll();
        world.ticks(world.settings.epochTicks());
        assertThat(world.first().convicted()).containsExactly(3);
        assertThat(foreseen(answers(0, 1, 3))).isEmpty();
        Optional<Decided> foreseen = foreseen(answers(0, 1, 2));
        assertThat(foreseen).isPresent();
        world.answerAll(3);
        assertThat(world.first().openAcceptance()).as("with the exclusion").isEqualTo(foreseen);
    }

    /** A replica may have accepted in an attempt that it says; the content is decided in a later one. */
    @Test
    void theAttemptIsTheOneThatOpens() {
        world.order(claim(5));
        world.order(claim(2));
        Decided foreseen = foreseen(answers(0, 1, 2)).orElseThrow();
        assertThat(foreseen.attempt()).as("a lower claim lowers nothing").isEqualTo(6);
        world.answerAll();
        assertThat(world.first().openAcceptance()).contains(foreseen);
    }

    private Signed<Recover> claim(long attempt) {
        return world.byBftserver(
                2, new Recover(2, Hash.ZERO, Hash.ZERO, true, Epoch.NONE, CertificateNumber.FIRST, attempt, null));
    }
}
