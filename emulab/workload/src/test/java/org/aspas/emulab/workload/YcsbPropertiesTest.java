package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YcsbPropertiesTest {
    /** What YCSB's own file for workload A says. */
    private static final String WORKLOAD_A = """
        # Yahoo! Cloud System Benchmark
        recordcount=1000
        operationcount=1000
        workload=site.ycsb.workloads.CoreWorkload

        readallfields=true

        readproportion=0.5
        updateproportion=0.5
        scanproportion=0
        insertproportion=0

        requestdistribution=zipfian
        """;

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("workload" + text.hashCode()), text);
    }

    private static YcsbProperties single(Map<String, String> properties) throws IOException {
        return YcsbProperties.read(WorkloadMix.A, List.of(), properties);
    }

    @Test
    void aWorkloadFileOfYcsbsIsRead() throws Exception {
        YcsbProperties read = YcsbProperties.read(WorkloadMix.A, List.of(file(WORKLOAD_A)), Map.of());
        assertThat(read.records()).isEqualTo(1000);
        assertThat(read.operations()).isEqualTo(1000);
        assertThat(read.threads()).isEmpty();
        assertThat(read.workload(ObjectKind.SETS).source(1, 1).next(0).key()).startsWith("ycsb/set/user");
    }

    @Test
    void laterFilesAndSinglePropertiesRule() throws Exception {
        Path other = file("recordcount=50\nthreadcount=8\n");
        YcsbProperties read = YcsbProperties.read(
                WorkloadMix.A,
                List.of(file(WORKLOAD_A), other),
                Map.of("threadcount", "9", "target", "300", "maxexecutiontime", "12"));
        assertThat(read.records()).isEqualTo(50);
        assertThat(read.threads()).hasValue(9);
        assertThat(read.target()).hasValue(300);
        assertThat(read.maxSeconds()).hasValue(12);
    }

    @Test
    void whatHasNoEffectIsSaid() throws Exception {
        YcsbProperties read = YcsbProperties.read(
                WorkloadMix.A, List.of(file(WORKLOAD_A)), Map.of("recordcuont", "7", "fieldlength", "100"));
        assertThat(read.ignored(ObjectKind.SETS))
                .containsExactly(
                        "ignored: readallfields=true has no effect here", "ignored: recordcuont=7 has no effect here");
        assertThat(read.ignored(ObjectKind.COUNTERS))
                .hasSize(3)
                .last()
                .asString()
                .contains("lengths of values");
        assertThat(single(Map.of()).ignored(ObjectKind.COUNTERS)).isEmpty();
    }

    @Test
    void whatCannotBeDoneIsRefusedByName() {
        Map<String, String> wrong = Map.of(
                "scanproportion", "0.95",
                "recordcount", "many",
                "readproportion", "2",
                "requestdistribution", "zipf",
                "workload", "site.ycsb.workloads.TimeSeriesWorkload",
                "threadcount", "0",
                "insertcount", "1001");
        wrong.forEach((name, value) -> assertThatIllegalArgumentException()
                .as(name)
                .isThrownBy(() -> single(Map.of(name, value)).threads())
                .withMessageContaining(name + " is " + value));
    }

    @Test
    void aMixWithoutOperationsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> single(Map.of("readproportion", "0", "updateproportion", "0")))
                .withMessageContaining("no operation");
    }
}
