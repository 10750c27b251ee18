package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes, deliveries, reports, answers and ticks with f silent or slow servers: the chain holds and catches up. */
class RandomScheduleTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theChainHoldsAndCatchesUp(long seed) {
        run(new World(1), new Random(seed), 250, "seed " + seed);
    }

    @Test
    void theChainHoldsAndCatchesUpWithSevenServers() {
        run(new World(2), new Random(77), 200, "seed 77, f = 2");
    }

    private static void run(World world, Random random, int steps, String what) {
        List<Signed<?>> late = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            step(world, random, late);
        }
        int[] silent = IntStream.range(0, world.quorums.f()).toArray();
        world.receiveAll();
        world.reportAll(silent);
        VersionVector goal = world.held.get(world.servers() - 1);
        for (int i = 0; i < 400 && !reached(world, goal); i++) {
            world.settle(2, silent);
            world.acceptAll();
            world.tick();
        }
        assertThat(reached(world, goal)).as(what).isTrue();
        checkChain(world, what);
    }

    private static boolean reached(World world, VersionVector goal) {
        int newest = world.certificates.size();
        return newest > 0
                && world.certificates.get((long) newest).content().version().equals(goal);
    }

    private static void step(World world, Random random, List<Signed<?>> late) {
        int server = random.nextInt(world.servers());
        switch (random.nextInt(7)) {
            case 0 -> world.write(server, 1 + random.nextInt(3));
            case 1 -> world.receiveAll(server);
            case 2 -> late.add(world.report(server, world.held.get(server)));
            case 3 -> world.first().openQuestion().ifPresent(ask -> answer(world, server, ask, late));
            case 4 -> world.tick();
            case 5 -> world.acceptAll();
            default -> orderSome(world, random, late);
        }
    }

    private static void answer(World world, int server, Ask ask, List<Signed<?>> late) {
        if (world.held.get(server).dominates(ask.version())) {
            late.add(world.byAppserver(server, world.answer(server, ask)));
        }
    }

    /** Orders some of the messages under way, out of order, and some of them twice. */
    private static void orderSome(World world, Random random, List<Signed<?>> late) {
        Collections.shuffle(late, random);
        int count = late.isEmpty() ? 0 : random.nextInt(late.size() + 1);
        for (int i = 0; i < count; i++) {
            Signed<?> one = late.get(late.size() - 1);
            world.order(one);
            if (random.nextInt(4) != 0) {
                late.remove(late.size() - 1);
            }
        }
    }

    private static void checkChain(World world, String what) {
        for (long number = 2; number <= world.certificates.size(); number++) {
            Outcome.ReadyToSign before = world.certificates.get(number - 1);
            Outcome.ReadyToSign after = world.certificates.get(number);
            assertThat(after.content().previous()).as(what).isEqualTo(before.hash());
            assertThat(after.content().version().dominates(before.content().version()))
                    .as(what)
                    .isTrue();
        }
    }
}
