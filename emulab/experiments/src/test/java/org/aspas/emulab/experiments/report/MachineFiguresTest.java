package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineFiguresTest {
    private static MachineFigures of(double hereSeconds, double elsewhereSeconds) {
        return MachineFigures.of(2, 10, 0.5, 0.9, 0.02, hereSeconds, elsewhereSeconds);
    }

    @Test
    void aRunWhoseClientsTakeMostOfTheProcessorsIsInvalid() {
        MachineFigures figures = of(15, 3);
        assertThat(figures.clients().share()).isEqualTo(0.75);
        assertThat(figures.invalid()).hasSize(1).first().asString().contains("75 %");
        assertThat(figures.lines()).anyMatch(line -> line.contains("INVALID"));
    }

    @Test
    void serversThatTakeMostOfThemAreSaidToAndNothingMore() {
        MachineFigures figures = of(3, 16);
        assertThat(figures.invalid()).isEmpty();
        assertThat(figures.lines()).anyMatch(line -> line.contains("servers'") && line.contains("above 70 %"));
        assertThat(figures.lines()).anyMatch(line -> line.contains("90 % busy, 2.0 % stolen, load 0.5"));
        assertThat(figures.cpuSeconds()).isEqualTo(19);
    }

    @Test
    void inOneProcessTheSidesCannotBeToldApart() {
        assertThat(of(19, 0).invalid()).isEmpty();
        assertThat(of(19, 0).servers()).isNull();
        assertThat(of(19, 0).lines()).anyMatch(line -> line.contains("one process"));
    }
}
