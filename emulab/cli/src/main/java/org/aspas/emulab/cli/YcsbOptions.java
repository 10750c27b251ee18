package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.WorkloadMix;
import org.aspas.emulab.workload.YcsbProperties;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which workload to run, as users of YCSB say it. */
final class YcsbOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = "--workload",
            paramLabel = "W",
            defaultValue = "A",
            description =
                    "one of YCSB's mixes: A (half updates), B (5 %% updates), C (reads), D (5 %% inserts, the newest"
                            + " read most), F (half read-modify-writes); update (updates only); or feed (a social feed,"
                            + " with comments of -p fieldlength bytes) (default: ${DEFAULT-VALUE})")
    private WorkloadMix workload = WorkloadMix.A;

    @Option(
            names = "--type",
            paramLabel = "T",
            defaultValue = "counters",
            description = "counters or sets " + "(default: ${DEFAULT-VALUE})")
    private ObjectKind type = ObjectKind.COUNTERS;

    @Option(
            names = "-P",
            paramLabel = "FILE",
            description =
                    "a workload file of YCSB's, instead of --workload; of several, the later ones rule. threadcount, "
                            + "maxexecutiontime and operationcount count where --clients and --seconds are not given")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "-p",
            paramLabel = "NAME=VALUE",
            description =
                    "a property of YCSB's, over those of --workload or -P; aspas.elements says how many different "
                            + "elements a set can have (100)")
    private Map<String, String> properties = new LinkedHashMap<>();

    boolean given(String option) {
        return command.commandLine().getParseResult().hasMatchedOption(option);
    }

    ObjectKind type() {
        return type;
    }

    /** The properties asked for; tells those that are ignored. */
    YcsbProperties read() throws IOException {
        if (!files.isEmpty() && given("--workload")) {
            throw new ParameterException(command.commandLine(), "-P says the workload: leave --workload out");
        }
        YcsbProperties read = YcsbProperties.read(workload, files, properties);
        read.ignored(type).forEach(command.commandLine().getErr()::println);
        return read;
    }
}
