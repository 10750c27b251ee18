package org.aspas.emulab.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.core.state.RetentionLimits;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How long an appserver keeps what is certified. How many certificates it keeps at least, the deployment says. */
final class RetentionOptions {
    private static final int YEAR = 366 * 24 * 3600;
    private static final int TIB_IN_MIB = 1 << 20;
    private static final long MIB = 1 << 20;

    @Option(
            names = "--retain-time",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "Minimum time in seconds to keep certified data, for servers that were away and clients that"
                    + " ask late, 1 to 31622400 (default: ${DEFAULT-VALUE}); the descriptor sets the minimum number of"
                    + " certificates.")
    private int time = 3600;

    @Option(
            names = "--retain-bytes",
            paramLabel = "MIB",
            defaultValue = "64",
            description = "Maximum MiB of certified data to keep, whatever its age, 1 to 1048576 (default:"
                    + " ${DEFAULT-VALUE}).")
    private int bytes = 64;

    @Option(
            names = "--evidence-time",
            paramLabel = "SECONDS",
            defaultValue = "86400",
            description = "Time in seconds to keep the hashes of dropped data on disk, so that a lie about that data"
                    + " can be proved, 1 to 31622400 (default: ${DEFAULT-VALUE}).")
    private int evidenceTime = 86_400;

    @Option(
            names = "--evidence-bytes",
            paramLabel = "MIB",
            defaultValue = "1024",
            description = "Maximum MiB of hashes of dropped data to keep, 1 to 1048576 (default: ${DEFAULT-VALUE}).")
    private int evidenceBytes = 1024;

    /** The bounds; those that have no option are the usual ones. */
    RetentionLimits limits(CommandSpec spec) {
        Ranges.check(spec, "--retain-time", time, 1, YEAR);
        Ranges.check(spec, "--retain-bytes", bytes, 1, TIB_IN_MIB);
        Ranges.check(spec, "--evidence-time", evidenceTime, 1, YEAR);
        Ranges.check(spec, "--evidence-bytes", evidenceBytes, 1, TIB_IN_MIB);
        RetentionLimits usual = RetentionLimits.USUAL;
        return new RetentionLimits(
                usual.certificates(),
                TimeUnit.SECONDS.toMillis(time),
                bytes * MIB,
                TimeUnit.SECONDS.toMillis(evidenceTime),
                evidenceBytes * MIB,
                usual.uncertifiedBytes(),
                usual.leafBlockLevel());
    }

    /** The same options for the command line of another process. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--retain-time", Integer.toString(time)));
        arguments.addAll(List.of("--retain-bytes", Integer.toString(bytes)));
        arguments.addAll(List.of("--evidence-time", Integer.toString(evidenceTime)));
        arguments.addAll(List.of("--evidence-bytes", Integer.toString(evidenceBytes)));
        return List.copyOf(arguments);
    }
}
