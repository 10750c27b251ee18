package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.TargetVersion.OriginBackoff;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/**
 * What one lying appserver and one slow one can do to the time to a certificate. Servers 0 and 1 answer at once, server 2 so
 * many steps later, and server 3 answers at once and dissents about what it likes. Before the machine kept whom the dissent
 * of whom is about, the liar who dissents about all origins but one held all others back for 128 rounds at a time, and the
 * slow server's word never came in time: nothing of theirs was certified within 600 steps.
 */
class OriginBackoffTest {
    private static final int MOST = 600;
    private static final int LIAR = 3;
    private static final int SLOW = 2;

    private final World world = new World(1);
    private final TreeMap<Long, List<Signed<Stable>>> late = new TreeMap<>();
    private Optional<Ask> answered = Optional.empty();

    private void write() {
        for (int origin = 0; origin < world.servers(); origin++) {
            world.write(origin, 1);
        }
        world.receiveAll();
        world.reportAll();
    }

    /** One step of time after all that is said in it. */
    private void step(int delay, IntPredicate denied) {
        world.first()
                .openQuestion()
                .filter(ask -> !Optional.of(ask).equals(answered))
                .ifPresent(ask -> {
                    answered = Optional.of(ask);
                    world.order(world.byAppserver(LIAR, dissent(ask, denied)));
                    world.order(world.byAppserver(0, world.answer(0, ask)));
                    world.order(world.byAppserver(1, world.answer(1, ask)));
                    late.computeIfAbsent(world.first().tick() + delay, any -> new ArrayList<>())
                            .add(world.byAppserver(SLOW, world.answer(SLOW, ask)));
                });
        world.acceptAll();
        late.headMap(world.first().tick(), true).values().forEach(due -> due.forEach(world::order));
        late.headMap(world.first().tick(), true).clear();
        world.acceptAll();
        world.tick();
    }

    private Stable dissent(Ask ask, IntPredicate denied) {
        Stable honest = world.answer(LIAR, ask);
        List<Hash> roots = new ArrayList<>(honest.roots());
        VersionVector certified = certified();
        VersionVector closed = honest.closed();
        List<Hash> closedRoots = new ArrayList<>(honest.closedRoots());
        for (int origin = 0; origin < world.servers(); origin++) {
            if (denied.test(origin) && ask.version().get(origin) > certified.get(origin)) {
                roots.set(origin, Hash.sha256(Codec.encode(honest), new byte[] {(byte) origin}));
                closedRoots.set(origin, world.root(LIAR, origin, certified.get(origin)));
                closed = closed.with(origin, certified.get(origin));
            }
        }
        return new Stable(
                LIAR,
                ask.epoch(),
                ask.round(),
                ask.previous(),
                ask.version(),
                roots,
                closed,
                closedRoots,
                honest.state());
    }

    private VersionVector certified() {
        long newest = world.certificates.size();
        return newest == 0
                ? VersionVector.zero(world.servers())
                : world.certificates.get(newest).content().version();
    }

    /** The steps until all that is written now is certified, at the origins that are looked at. */
    private long stepsUntilCertified(int delay, IntPredicate denied, IntPredicate looked) {
        write();
        VersionVector goal = world.held.get(0);
        long begun = world.first().tick();
        while (!reached(goal, looked) && world.first().tick() - begun < MOST) {
            step(delay, denied);
            if (world.first().tick() % 16 == 0) {
                write();
            }
        }
        return world.first().tick() - begun;
    }

    private boolean reached(VersionVector goal, IntPredicate looked) {
        for (int origin = 0; origin < world.servers(); origin++) {
            if (looked.test(origin) && certified().get(origin) < goal.get(origin)) {
                return false;
            }
        }
        return true;
    }

    private long worst(int delay, IntPredicate denied, IntPredicate looked) {
        long worst = 0;
        for (int i = 0; i < 5 && worst < MOST; i++) {
            worst = Math.max(worst, stepsUntilCertified(delay, denied, looked));
        }
        return worst;
    }

    @Test
    void aLiarWhoDissentsAboutManyOriginsHoldsNoneBack() {
        int round = world.settings.roundTicks();
        long worst = worst(2 * round, origin -> origin != 1, any -> true);
        assertThat(worst).isLessThanOrEqualTo(12L * round);
    }

    @Test
    void aLiarWhoDissentsAboutAnotherOriginEachTimeHoldsNoneBack() {
        int round = world.settings.roundTicks();
        long worst = worst(2 * round, origin -> origin == world.first().tick() / 5 % 3, any -> true);
        assertThat(worst).isLessThanOrEqualTo(12L * round);
    }

    @Test
    void aLiarWhoDissentsAboutOneOriginHoldsThatOneBackForAWhileAndNoOther() {
        int round = world.settings.roundTicks();
        long others = worst(2 * round, origin -> origin == 0, origin -> origin != 0);
        long denied = worst(2 * round, origin -> origin == 0, origin -> origin == 0);
        assertThat(others).isLessThanOrEqualTo(12L * round);
        assertThat(denied).isLessThanOrEqualTo(20L * round);
    }

    /** What failed in a round may be certified all the same, by a proof that others hold. */
    @Test
    void anOriginThatIsCertifiedBeyondItsCapIsAskedForInFullAgain() {
        OriginBackoff failed = OriginBackoff.NONE.failed(10, 0, 0, 4);
        assertThat(failed.limit(20, 0, 100)).isEqualTo(5);
        assertThat(failed.limit(20, 10, 100)).as("a little, at least").isEqualTo(11);
        assertThat(failed.agreed(10, 0)).isEqualTo(OriginBackoff.NONE);
        assertThat(failed.agreed(4, 0)).as("below the cap").isEqualTo(failed);
        assertThat(failed.agreed(10, 10)).as("nothing new").isEqualTo(failed);
    }
}
