package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.emulab.experiments.report.CostMeter.LoopbackPackets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopbackPacketsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("dev"), text);
    }

    @Test
    void packetsAreTheSecondNumberBehindTheInterface() throws IOException {
        Path file = file("""
                Inter-|   Receive                                                |  Transmit
                 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
                  eth0:      10       2    0    0    0     0          0         0       10       2    0
                    lo: 9161442 1427806    0    0    0     0          0         0  9161442 1427806    0
                """);
        assertThat(LoopbackPackets.read(file)).hasValue(1_427_806);
    }

    @Test
    void whatIsNotThereOrNotANumberIsNotKnown() throws IOException {
        assertThat(LoopbackPackets.read(folder.resolve("absent"))).isEmpty();
        assertThat(LoopbackPackets.read(file("eth0: 1 2 3\n"))).isEmpty();
        assertThat(LoopbackPackets.read(file("lo: 1 many 3\n"))).isEmpty();
    }
}
