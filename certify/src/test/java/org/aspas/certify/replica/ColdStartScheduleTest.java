package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Recover;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random crashes at every step of every replica, then cold starts of any 2b+1 or more: nobody correct signs two contents of
 * one number (the lab checks each share), and whenever the correct replicas run, certification goes on.
 */
class ColdStartScheduleTest {
    private static final int SCHEDULES = Integer.getInteger("aspas.schedules", 12);

    /** Lives that each end with a crash of every replica, somewhere in the first certificates. */
    private static void crashesAndColdStarts(Lab lab) {
        int lives = 1 + lab.random.nextInt(5);
        for (int life = 0; life < lives; life++) {
            List<Integer> some = all();
            Collections.shuffle(some, lab.random);
            for (int replica : some.subList(0, 3 + lab.random.nextInt(2))) {
                lab.start(replica);
            }
            for (Lab.Replica replica : lab.live.values()) {
                replica.fuse = lab.random.nextInt(5) > 0 ? lab.random.nextInt(40) : -1;
            }
            lab.run(100 + lab.random.nextInt(900));
            lab.stopAll();
            for (int left = lab.order.waiting(); left > 0; left--) {
                // What was under way is lost, or comes out in the next life.
                if (lab.random.nextInt(4) > 0) {
                    lab.order.lose(lab.random.nextInt(lab.order.waiting()));
                }
            }
        }
    }

    private static void goesOn(Lab lab, List<Integer> who, String what) {
        long before = lab.appservers.number();
        Collections.shuffle(who, lab.random);
        who.forEach(lab::start);
        assertThat(lab.reaches(before + 3))
                .as(what + ": new certificates after " + before)
                .isTrue();
    }

    private static List<Integer> all() {
        return new ArrayList<>(List.of(0, 1, 2, 3));
    }

    /** The schedule that broke an earlier draft: some are bound by their signatures, and the others have never signed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void coldStartWithSomeSigned(int signers) {
        for (int absent = 0; absent < 4; absent++) {
            Lab lab = new Lab(signers);
            lab.early = false;
            goesOn(lab, all(), "fresh");
            long signed = lab.runUntilSignedBy(signers);
            lab.stopAll();
            List<Integer> three = all();
            three.remove(absent);
            goesOn(lab, three, signers + " signed, " + absent + " absent");
            assertThat(lab.appservers.number()).isGreaterThan(signed);
        }
    }

    /**
     * One replica knows that all have accepted, and no other does. Had it signed on that, a cold start without it could
     * choose another content, and the number could end with two contents and no certificate.
     */
    @Test
    void nobodySignsWhatOnlyItselfKnowsToBeAccepted() {
        for (int absent = 0; absent < 4; absent++) {
            Lab lab = new Lab(absent);
            lab.early = false;
            goesOn(lab, all(), "fresh");
            long number = lab.runUntilProvenAt(1);
            lab.run(300);
            assertThat(lab.signed(number)).isFalse();
            lab.stopAll();
            List<Integer> three = all();
            three.remove(absent);
            goesOn(lab, three, absent + " absent");
            lab.stopAll();
            goesOn(lab, all(), "all");
        }
    }

    @Test
    void anyThreeOfFourGoOn() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            Lab lab = new Lab(seed);
            // A first life, so that the records are complete.
            goesOn(lab, all(), "fresh, seed " + seed);
            lab.stopAll();
            crashesAndColdStarts(lab);
            List<Integer> three = all();
            three.remove(lab.random.nextInt(4));
            goesOn(lab, three, "three of four, seed " + seed);
        }
    }

    @Test
    void threeCorrectOnesGoOnBesideOneThatForgetsWhatItSaid() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            Lab lab = new Lab(seed);
            lab.liars.add(lab.random.nextInt(4));
            goesOn(lab, all(), "fresh, seed " + seed);
            lab.stopAll();
            crashesAndColdStarts(lab);
            goesOn(lab, all(), "a liar, seed " + seed);
        }
    }

    /**
     * One replica lies: at the cold start it brings the words of the first day, of two others and of its own, into the
     * order, before the words of this start or between them. Appservers answer no epoch of the first life again.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void wordsOfTheFirstDayDoNotHoldALaterLifeBack(int genuineFirst) {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            Lab lab = new Lab(seed);
            lab.liars.add(3);
            goesOn(lab, all(), "fresh, seed " + seed);
            List<Recover> old = lab.statements.stream()
                    .filter(one -> one.knowing() && one.epoch().equals(Epoch.NONE) && one.replica() != 2)
                    .toList();
            assertThat(old).extracting(Recover::replica).contains(0, 1, 3);
            lab.stopAll();
            all().forEach(lab::start);
            while (lab.order.waiting() > genuineFirst) {
                lab.order.lose(lab.order.waiting() - 1);
            }
            old.forEach(one -> lab.replay(3, one));
            lab.order.settle();
            long before = lab.appservers.number();
            assertThat(lab.reaches(before + 3)).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void aReplicaThatLostItsDiskIsTaughtAndSignsNothingTwice() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            Lab lab = new Lab(seed);
            goesOn(lab, all(), "fresh, seed " + seed);
            lab.stopAll();
            crashesAndColdStarts(lab);
            int lost = lab.random.nextInt(4);
            lab.disks.get(lost).clear();
            goesOn(lab, all(), "lost disk, seed " + seed);
            assertThat(lab.live.get(lost).signer.knowing()).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void aNewDeploymentStartsWithThreeOfFour() {
        for (long seed = 0; seed < SCHEDULES; seed++) {
            Lab lab = new Lab(seed);
            List<Integer> three = all();
            three.remove(lab.random.nextInt(4));
            goesOn(lab, three, "seed " + seed);
        }
    }
}
