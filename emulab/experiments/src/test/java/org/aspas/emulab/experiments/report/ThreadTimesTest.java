package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.emulab.experiments.report.CostMeter.Party;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path process;

    private void thread(int number, String name, String schedstat) throws IOException {
        Path folder = Files.createDirectories(process.resolve("task").resolve(Integer.toString(number)));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), schedstat + "\n");
    }

    @Test
    void timesAndSlicesAreThoseBetweenTwoReadings() throws IOException {
        thread(1, "effects-0", "1000 50 3");
        ThreadTimes before = ThreadTimes.of(process);
        thread(1, "effects-0", "1500 90 5");
        thread(2, "aspas-client-1", "200 0 4");
        ThreadTimes taken = ThreadTimes.of(process).since(before);
        assertThat(taken.slices()).isEqualTo(6);
        assertThat(taken.nanosBy(name -> Party.of(name).key()))
                .containsEntry("bftservers", 500L)
                .containsEntry("clients", 200L)
                .hasSize(2);
    }

    @Test
    void aThreadThatEndedCountsNothing() throws IOException {
        thread(1, "load-0", "1000 50 3");
        ThreadTimes before = ThreadTimes.of(process);
        Files.delete(process.resolve("task/1/schedstat"));
        assertThat(ThreadTimes.of(process).since(before).threads()).isEmpty();
    }

    @Test
    void whereTheSystemDoesNotTellThereAreNone() {
        assertThat(ThreadTimes.of(process.resolve("absent")).threads()).isEmpty();
    }

    @Test
    void threadsAreKnownByWhatTheirNamesBeginWith() {
        assertThat(Party.of("aspas-client-io")).isEqualTo(Party.CLIENTS);
        assertThat(Party.of("aspas-aspas.cor")).isEqualTo(Party.APPSERVERS);
        assertThat(Party.of("TOM Layer")).isEqualTo(Party.BFTSERVERS);
        assertThat(Party.of("link-1-2")).isEqualTo(Party.LINKS);
        assertThat(Party.of("flood-io-1-1")).isEqualTo(Party.ATTACKERS);
        assertThat(Party.of("C2 CompilerThre")).isEqualTo(Party.JVM);
        assertThat(Party.of("main")).isEqualTo(Party.OTHER);
    }
}
