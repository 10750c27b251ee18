package org.aspas.emulab.sim.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.aspas.emulab.sim.engine.Timeline;
import org.junit.jupiter.api.Test;

/** Cores, lanes and the queue between them. */
class MachineTest {
    private final Timeline timeline = new Timeline();
    private final List<String> log = new ArrayList<>();

    private Machine.Task task(String name, long micros) {
        return () -> {
            log.add(name + " begins at " + timeline.now());
            return new Machine.Done(micros * 1_000, () -> log.add(name + " ends at " + timeline.now()));
        };
    }

    private void runAll() {
        while (timeline.step(Long.MAX_VALUE / 2)) {
            // Until nothing is left.
        }
    }

    @Test
    void theTasksOfALaneComeOneAfterTheOtherHoweverManyCoresThereAre() {
        Machine.Lane lane = new Machine(timeline, 4).lane();
        lane.add(task("a", 10));
        lane.add(task("b", 5));
        runAll();
        assertThat(log).containsExactly("a begins at 0", "a ends at 10", "b begins at 10", "b ends at 15");
    }

    @Test
    void lanesShareTheCoresFirstComeFirstServed() {
        Machine machine = new Machine(timeline, 2);
        machine.lane().add(task("a", 10));
        machine.lane().add(task("b", 4));
        machine.lane().add(task("c", 3));
        machine.lane().add(task("d", 1));
        runAll();
        assertThat(log)
                .containsExactly(
                        "a begins at 0",
                        "b begins at 0",
                        "b ends at 4",
                        "c begins at 4",
                        "c ends at 7",
                        "d begins at 7",
                        "d ends at 8",
                        "a ends at 10");
    }

    @Test
    void aLaneThatHasMoreToDoQueuesAgainBehindTheOthers() {
        Machine machine = new Machine(timeline, 1);
        Machine.Lane first = machine.lane();
        first.add(task("a", 2));
        first.add(task("b", 2));
        machine.lane().add(task("c", 2));
        runAll();
        assertThat(log)
                .filteredOn(line -> line.contains("begins"))
                .containsExactly("a begins at 0", "c begins at 2", "b begins at 4");
    }

    @Test
    void partsOfAMicrosecondAddUp() {
        Machine.Lane lane = new Machine(timeline, 1).lane();
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            lane.add(() -> new Machine.Done(250, () -> ends.add(timeline.now())));
        }
        while (ends.size() < 1_000) {
            timeline.step(timeline.now() + 1);
        }
        assertThat(timeline.now()).isEqualTo(250);
    }

    @Test
    void usageIsBusyTimeAndWaitingTasksSinceItCountsAnew() {
        Machine machine = new Machine(timeline, 2);
        machine.lane().add(task("before", 7));
        timeline.step(7);
        machine.countAnew();
        Machine.Lane lane = machine.lane();
        lane.add(task("a", 30));
        lane.add(task("b", 20));
        timeline.step(37);
        timeline.step(57);
        timeline.step(107);
        Machine.Usage usage = machine.usage();
        assertThat(usage.cores()).isEqualTo(2);
        assertThat(usage.busy()).isCloseTo(50 / 100.0 / 2, within(1e-9));
        assertThat(usage.meanWaiting()).as("b waited for 30 of 100").isCloseTo(0.3, within(1e-9));
        assertThat(usage.mostWaiting()).isEqualTo(1);
    }

    @Test
    void aMachineNeedsACore() {
        assertThatThrownBy(() -> new Machine(timeline, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 cores");
    }
}
