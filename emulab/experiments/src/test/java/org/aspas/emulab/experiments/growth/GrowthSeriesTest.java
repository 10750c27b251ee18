package org.aspas.emulab.experiments.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.aspas.emulab.experiments.page.GrowthPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slopes of what servers take, and what is read of a process: this one. */
class GrowthSeriesTest {
    private static final int MINUTES = 10;
    private static final int UPDATES_A_MINUTE = 1_000;
    private static final double FINE = 1e-6;

    /** Appserver 0 grows by 7 bytes for each update, appserver 1 by 11, both quickly at first. */
    private static GrowthSeries series(double from) {
        List<GrowthSample> samples = new ArrayList<>();
        for (int minute = 0; minute <= MINUTES; minute++) {
            long updates = (long) minute * UPDATES_A_MINUTE;
            long begun = Math.min(minute, 2) * 1_000_000L;
            samples.add(new GrowthSample(
                    minute * 60.0,
                    updates,
                    Map.of(
                            "appserver-0",
                            new NodeUse(begun + 7 * updates, 48 * updates, 20, 30),
                            "appserver-1",
                            new NodeUse(begun + 11 * updates, 40 * updates, 20, 30),
                            "bftserver-0",
                            new NodeUse(5_000_000, 99 * updates, 20, 30))));
        }
        return new GrowthSeries(samples, from);
    }

    @Test
    void slopesCountFromAMomentOn() {
        GrowthSeries late = series(120);
        assertThat(late.counted()).isEqualTo(MINUTES - 1);
        assertThat(late.perUpdate("appserver-0", NodeUse::heapBytes)).isCloseTo(7, within(FINE));
        assertThat(late.perUpdate("bftserver-0", NodeUse::heapBytes)).isCloseTo(0, within(FINE));
        assertThat(late.most("appserver", NodeUse::heapBytes)).isCloseTo(11, within(FINE));
        assertThat(late.most("appserver", NodeUse::diskBytes)).isCloseTo(48, within(FINE));
        assertThat(series(0).perUpdate("appserver-0", NodeUse::heapBytes)).isGreaterThan(100);
        assertThat(series(600).perUpdate("appserver-0", NodeUse::heapBytes)).isNaN();
    }

    @Test
    void theFilesHoldWhatWasMeasured() throws IOException {
        GrowthSeries series = series(120);
        assertThat(series.csv().lines())
                .hasSize(1 + 3 * (MINUTES + 1))
                .contains("60.0,1000,appserver-1,1011000,40000,20,30");
        assertThat(series.lines())
                .hasSize(4)
                .anyMatch(line -> line.startsWith("appserver-1") && line.contains("11.00"));
        String page = GrowthPage.html(series, "8 clients & more");
        assertThat(page)
                .contains("8 clients &amp; more", "<figure id=\"heap\">", "<figure id=\"descriptors\">", "11.00");
    }

    @Test
    void thisProcessIsRead(@TempDir Path data) throws Exception {
        Files.write(data.resolve("some"), new byte[1234]);
        Files.write(Files.createDirectory(data.resolve("more")).resolve("other"), new byte[766]);
        byte[][] kept = new byte[64][1 << 20];
        NodeUse use = ProcessMeter.ofThisJdk().measure(ProcessHandle.current(), data);
        assertThat(use.heapBytes()).isGreaterThan((long) kept.length << 20);
        assertThat(use.diskBytes()).isEqualTo(2_000);
        assertThat(use.threads()).isPositive();
        assertThat(use.descriptors()).isPositive();
    }

    @Test
    void whatIsNoHistogramIsRefused() {
        assertThatThrownBy(() -> ProcessMeter.total("Connection refused")).hasMessageContaining("Connection refused");
    }
}
