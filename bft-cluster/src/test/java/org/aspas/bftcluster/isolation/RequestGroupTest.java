package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.aspas.bftcluster.isolation.RequestInjector.RequestGroup;
import org.junit.jupiter.api.Test;

/** Commands of one byte: as many as it says belong together, 0 waits for nobody, and 9 for more from then on. */
class RequestGroupTest {
    private static final long ORDER = 1_000;
    private static final long PATIENCE = 1_500;
    private static final int ANEW = 9;
    private static final int MANY = 8;

    private final List<String> given = new ArrayList<>();
    private final TreeMap<Long, Runnable> later = new TreeMap<>();
    private int lates;
    private int givings;
    private long now;
    private long usual = ORDER;

    private final RequestGroup group = new RequestGroup(
            new Grouping() {
                private int together;

                @Override
                public Next next(byte[] command, boolean others) {
                    if (command[0] == 0) {
                        return others ? Next.WAIT : Next.GO;
                    } else if (command[0] == ANEW) {
                        return Next.WAIT_ANEW;
                    }
                    together = others ? together + 1 : 1;
                    return together < command[0] ? Next.WAIT : Next.GO;
                }

                @Override
                public void late() {
                    lates++;
                }
            },
            () -> usual,
            () -> now,
            (nanos, task) -> later.put(now + nanos, task),
            giving -> {
                givings++;
                giving.run();
            });

    private void comes(String name, int together) {
        group.add(new byte[] {(byte) together}, () -> given.add(name));
    }

    private void passes(long nanos) {
        now += nanos;
        while (!later.isEmpty() && later.firstKey() <= now) {
            later.pollFirstEntry().getValue().run();
        }
    }

    @Test
    void aRequestThatBelongsToNothingGoesAtOnce() {
        comes("a", 0);
        assertThat(given).containsExactly("a");
    }

    @Test
    void requestsThatBelongTogetherGoTogether() {
        comes("a", 3);
        comes("b", 3);
        assertThat(given).isEmpty();
        comes("c", 3);
        assertThat(given).containsExactly("a", "b", "c");
        assertThat(givings).isEqualTo(1);
        assertThat(lates).isZero();
    }

    /** A session's requests are taken in their order only. */
    @Test
    void whatWaitsForNobodyStaysBehindWhatWaits() {
        comes("a", 2);
        comes("b", 0);
        assertThat(given).isEmpty();
        comes("c", 2);
        assertThat(given).containsExactly("a", "b", "c");
    }

    @Test
    void theWaitEndsByTime() {
        comes("a", 3);
        passes(PATIENCE - 1);
        assertThat(given).isEmpty();
        passes(1);
        assertThat(given).containsExactly("a");
        assertThat(lates).isEqualTo(1);
    }

    @Test
    void theTimeOfAGroupThatWentDoesNotEndTheNextOne() {
        comes("a", 2);
        comes("b", 2);
        passes(1);
        comes("c", 2);
        passes(PATIENCE - 1);
        assertThat(given).containsExactly("a", "b");
        comes("d", 3);
        passes(1);
        assertThat(given).containsExactly("a", "b", "c", "d");
        assertThat(lates).isEqualTo(1);
    }

    @Test
    void aWaitThatBeginsAnewIsAsLongAsAnyOther() {
        comes("a", 3);
        passes(PATIENCE - 1);
        comes("b", ANEW);
        passes(PATIENCE - 1);
        assertThat(given).isEmpty();
        passes(1);
        assertThat(given).containsExactly("a", "b");
        assertThat(lates).isEqualTo(1);
    }

    @Test
    void aRequestBetweenTheOldAndTheRenewedDeadlineWaitsOn() {
        comes("a", 3);
        passes(PATIENCE - 1);
        comes("b", ANEW);
        passes(1);
        comes("c", MANY);
        passes(PATIENCE - 2);
        comes("d", MANY);
        assertThat(given).isEmpty();
        passes(1);
        assertThat(given).containsExactly("a", "b", "c", "d");
        assertThat(lates).isEqualTo(1);
    }

    /** Whoever lies could hold the others for ever. */
    @Test
    void aWaitBeginsAnewOnceInAGroup() {
        comes("a", 3);
        passes(1);
        comes("b", ANEW);
        passes(PATIENCE - 1);
        comes("c", ANEW);
        assertThat(given).isEmpty();
        passes(1);
        assertThat(given).containsExactly("a", "b", "c");
        assertThat(lates).isEqualTo(1);
    }

    @Test
    void aRequestAfterTheRenewedDeadlineEndsTheWaitThoughItWouldBeginAnew() {
        comes("a", 3);
        passes(1);
        comes("b", ANEW);
        later.clear();
        now += PATIENCE;
        comes("c", ANEW);
        assertThat(given).containsExactly("a", "b", "c");
        assertThat(lates).isEqualTo(1);
    }

    @Test
    void theNextGroupMayBeginAnewAgain() {
        comes("a", 3);
        comes("b", ANEW);
        comes("c", 0);
        passes(PATIENCE);
        assertThat(given).containsExactly("a", "b", "c");
        comes("d", 3);
        passes(PATIENCE - 1);
        comes("e", ANEW);
        passes(PATIENCE - 1);
        assertThat(given).containsExactly("a", "b", "c");
        passes(1);
        assertThat(given).containsExactly("a", "b", "c", "d", "e");
        assertThat(lates).isEqualTo(2);
    }

    /** The first wait of a group is no renewal of one. */
    @Test
    void aGroupThatBeginsWithSuchARequestMayBeginAnewToo() {
        comes("a", ANEW);
        passes(PATIENCE - 1);
        comes("b", ANEW);
        passes(PATIENCE - 1);
        assertThat(given).isEmpty();
        passes(1);
        assertThat(given).containsExactly("a", "b");
        assertThat(lates).isEqualTo(1);
    }

    /** The timer may have no room for its task. */
    @Test
    void aRequestThatComesLateEndsTheWait() {
        comes("a", 3);
        later.clear();
        now += PATIENCE;
        comes("b", 3);
        assertThat(given).containsExactly("a", "b");
        assertThat(lates).isEqualTo(1);
    }

    @Test
    void nobodyWaitsLongWhereOrdersAreSlow() {
        usual = Long.MAX_VALUE / 1_000;
        comes("a", 3);
        passes(RequestGroup.LONGEST_NANOS);
        assertThat(given).containsExactly("a");
    }
}
