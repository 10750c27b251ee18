package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ToleranceMixTest {
    private static final List<ToleranceMix> TABLE_1 = List.of(
            ToleranceMix.ASPAS0, ToleranceMix.ASPAS1, ToleranceMix.ASPAS2, ToleranceMix.ASPAS3, ToleranceMix.ASPAS4);

    private static List<Integer> counts(ToleranceMix mix, int clients) {
        List<ToleranceClass> dealt = mix.deal(clients);
        return Stream.of(ToleranceClass.values())
                .map(tolerance -> Collections.frequency(dealt, tolerance))
                .toList();
    }

    @Test
    void aHundredClientsAreMixedAsInTable1() {
        assertThat(TABLE_1.stream().map(mix -> counts(mix, 100)))
                .containsExactly(
                        List.of(0, 0, 100),
                        List.of(5, 50, 45),
                        List.of(3, 30, 67),
                        List.of(0, 100, 0),
                        List.of(100, 0, 0));
    }

    @Test
    void everyClientHasAClassAndFromThreeOnEveryClassWithAShareHasOne() {
        for (ToleranceMix mix : TABLE_1) {
            List<ToleranceClass> shares = mix.deal(100).stream().distinct().toList();
            for (int clients = 1; clients <= 64; clients++) {
                assertThat(mix.deal(clients)).hasSize(clients).isSubsetOf(shares);
                if (clients >= 3) {
                    assertThat(mix.deal(clients)).containsAll(shares);
                }
            }
        }
    }

    @Test
    void sharesMakeAHundredPercent() {
        assertThatThrownBy(() -> new ToleranceMix(3, 30, 66)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ToleranceMix(-1, 1, 100)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void itsTextLeavesOutWhatNobodyHas() {
        assertThat(ToleranceMix.ASPAS2.text()).isEqualTo("3 % τ=1, 30 % τ=1000, 67 % τ=∞");
        assertThat(ToleranceMix.ASPAS4.text()).isEqualTo("100 % τ=1");
    }
}
