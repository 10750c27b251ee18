package org.aspas.emulab.experiments.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlotAxisTest {
    @ParameterizedTest
    @CsvSource({"7, 8, 5", "72.4, 80, 5", "1, 1, 6", "0.013, 0.015, 4", "4210, 5000, 6", "0, 1, 6"})
    void anAxisFromZeroEndsAtARoundValueAboveAll(double most, double end, int ticks) {
        PlotAxis axis = PlotAxis.fromZero("ms", List.of(0.0, most));
        assertThat(axis.high()).isEqualTo(end, Offset.offset(1e-9));
        assertThat(axis.ticks()).hasSize(ticks).isSorted().startsWith(0.0);
        assertThat(axis.place(0)).isZero();
        assertThat(axis.place(end)).isEqualTo(1, Offset.offset(1e-9));
    }

    @Test
    void equalRatiosAreEquallyFarApartOnALogarithmicAxis() {
        PlotAxis axis = PlotAxis.logarithmic("clients", List.of(1.0, 10.0, 100.0, 1000.0));
        double decade = axis.place(10) - axis.place(1);
        assertThat(axis.place(1000) - axis.place(100)).isEqualTo(decade, Offset.offset(1e-9));
        assertThat(axis.place(1)).isPositive();
        assertThat(axis.ticks()).containsExactly(1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0);
    }

    @Test
    void zeroAndOneValueHaveALogarithmicAxisToo() {
        assertThat(PlotAxis.logarithmic("ms", List.of(0.0, 5.0)).low()).isPositive();
        assertThat(PlotAxis.logarithmic("ms", List.of()).ticks()).hasSizeGreaterThan(1);
    }

    @Test
    void thereIsNoAxisOfNothing() {
        assertThatThrownBy(() -> new PlotAxis("ms", false, 3, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PlotAxis("ms", true, 0, 3)).hasMessageContaining("ms");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.0314159, 0.031", "1.5, 1.5", "71.42, 71.4", "312.6, 313", "'4210.4', '4,210'", "-20, -20"})
    void numbersHaveThreeDigitsThatCount(double value, String shown) {
        assertThat(PlotAxis.shown(value)).isEqualTo(shown);
    }
}
