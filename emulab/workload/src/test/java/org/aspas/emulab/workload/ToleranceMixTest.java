package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ToleranceMixTest {
    private static final List<ToleranceMix> TABLE_1 = List.of(
            ToleranceMix.ASPAS0, ToleranceMix.ASPAS1, ToleranceMix.ASPAS2, ToleranceMix.ASPAS3, ToleranceMix.ASPAS4);

    private static List<Integer> counts(ToleranceMix mix, int clients) {
        List<ToleranceClass> dealt = mix.deal(clients);
        return Stream.of(ToleranceClass.TAU_1, ToleranceClass.TAU_1000, ToleranceClass.TAU_UNBOUNDED)
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
        assertThatThrownBy(() -> new ToleranceMix(Map.of("1", 3, "unbounded", 96)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ToleranceMix(Map.of("1", 0, "unbounded", 100)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ToleranceMix(Map.of("0", 100))).hasMessageContaining("τ is '0'");
    }

    @Test
    void otherClassesAreDealtStrictestFirst() {
        ToleranceMix mix = new ToleranceMix(Map.of("unbounded", 45, "10", 45, "2", 10));
        assertThat(mix.text()).isEqualTo("10 % τ=2, 45 % τ=10, 45 % τ=unbounded");
        assertThat(mix.deal(20).subList(0, 2)).containsOnly(new ToleranceClass(2));
        assertThat(mix.deal(20).get(2)).isEqualTo(new ToleranceClass(10));
        assertThat(mix.deal(20)).hasSize(20);
    }

    @Test
    void itsTextLeavesOutWhatNobodyHas() {
        assertThat(ToleranceMix.ASPAS2.text()).isEqualTo("3 % τ=1, 30 % τ=1000, 67 % τ=unbounded");
        assertThat(ToleranceMix.ASPAS4.text()).isEqualTo("100 % τ=1");
    }
}
