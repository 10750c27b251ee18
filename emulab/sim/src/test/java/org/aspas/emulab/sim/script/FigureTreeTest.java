package org.aspas.emulab.sim.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureTreeTest {
    private record Side(String name, double busyShare) {}

    private static FigureTree tree() {
        return new FigureTree()
                .with("count", 12_345)
                .with("lag_ms", Map.of("p50", 1.23456))
                .with("side", new Side("a $1 \\ side", 0.5))
                .with("nobody", null)
                .withKnown("unknown", null)
                .withKnown("empty", List.of());
    }

    @Test
    void aLineShowsFiguresAndWordsInTheirPlaces() {
        assertThat(tree().line("{count} {count|%,9d} {side.name}: {side.busy_share*100|%.0f} %, {lag_ms.p50/10|%.4f}"))
                .isEqualTo("12345    12,345 a $1 \\ side: 50 %, 0.1235");
        assertThat(tree().line("{} {|%4s} {count|%d|heads do not show}{}", "first", 2, ""))
                .isEqualTo("first    2 12345");
    }

    @Test
    void aPathThatLeadsToNoFigureIsAFaultOfTheProgram() {
        for (String path : List.of("nowhere", "nobody", "side", "unknown")) {
            assertThatThrownBy(() -> tree().line("{" + path + "}"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(path);
        }
    }

    @Test
    void headsAreAsWideAsTheirColumns() {
        String row = "  {side.name|%-12s|side} {count|%,9d|number} {|%6.1f|x 2}{}";
        assertThat(FigureTree.head(row)).isEqualTo("  side            number    x 2");
        assertThat(tree().line(row, 1.25, "")).isEqualTo("  a $1 \\ side     12,345    1.3");
    }

    @Test
    void whatIsNotKnownIsLeftOutOrNull() {
        assertThat(tree().has("unknown") || tree().has("empty")).isFalse();
        assertThat(tree().has("nobody")).isTrue();
        assertThat(tree().number("nowhere.at_all")).isZero();
    }

    @Test
    void onlyTheReportRounds() {
        FigureTree outer = new FigureTree().withAll("x_", tree()).with("trees", List.of(tree()));
        assertThat(outer.number("x_lag_ms.p50")).isEqualTo(1.23456);
        assertThat(outer.number("trees.0.lag_ms.p50")).isEqualTo(1.23456);
        assertThat(JsonReport.text(outer))
                .contains("\"p50\" : 1.235", "\"x_nobody\" : null")
                .doesNotContain("1.2345");
    }
}
