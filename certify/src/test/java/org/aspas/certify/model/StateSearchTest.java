package org.aspas.certify.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The state search within bounds that take seconds; {@link LongStateSearchTest} goes further (docs/model.md). */
class StateSearchTest {
    private static final int MOST = 1_000_000;

    private static Search.Report search(Bounds bounds) {
        Search.Report report = new Search(bounds, MOST, "").run();
        System.out.println(bounds + ": " + report);
        return report;
    }

    @Test
    void twoContentsAndAColdStart() {
        assertThat(search(new Bounds(1, 2, 1, 1, 0, 0)).finding()).isEmpty();
    }

    @Test
    void twoAttempts() {
        assertThat(search(new Bounds(1, 1, 2, 0, 0, 0)).finding()).isEmpty();
    }

    @Test
    void twoNumbers() {
        assertThat(search(new Bounds(2, 1, 1, 0, 0, 0)).finding()).isEmpty();
    }

    @Test
    void aReplicaThatStartsAgainBesideTheOthers() {
        assertThat(search(new Bounds(1, 1, 1, 0, 0, 1)).finding()).isEmpty();
    }

    /** With the reductions records, words and signatures come to all that they come to without. */
    @Test
    void nothingIsLostByTheReductions() {
        compare(new Bounds(1, 1, 1, 1, 0, 0), MOST);
    }

    static void compare(Bounds reduced, long most) {
        Bounds all = new Bounds(
                reduced.numbers(), reduced.contents(), reduced.attempts(), reduced.coldStarts(), 0, 0, false);
        Search whole = new Search(all, most, "");
        Search.Report report = whole.run();
        assertThat(report.finding()).isEmpty();
        Search some = new Search(reduced, most, "");
        assertThat(some.run().states()).isLessThan(report.states());
        assertThat(some.outsides()).isEqualTo(whole.outsides());
    }
}
