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
                reduced.numbers(), reduced.contents(), reduced.attempts(), reduced.coldStarts(), 0, 0, false, false);
        Search whole = new Search(all, most, "");
        Search.Report report = whole.run();
        assertThat(report.finding()).isEmpty();
        Search some = new Search(reduced, most, "");
        assertThat(some.run().states()).isLessThan(report.states());
        assertThat(some.outsides()).isEqualTo(whole.outsides());
    }

    /**
     * A known limit (docs/model.md): from 2b answers, the liar's and one of a replica that missed everything, a replica that
     * lost its record concludes that the deployment is new, and signs a second content. It is no different from one that
     * never started while the liar is silent; only a record that is made with the deployment could tell.
     */
    @Test
    void aLostRecordBesideTheLiarCanBeTakenForTheFirstDay() {
        Bounds firstDay = new Bounds(1, 2, 1, 1, 1, 0, true, true);
        assertThat(search(firstDay).finding().orElse("nothing")).startsWith("ONE CERTIFICATE PER NUMBER");
    }
}
