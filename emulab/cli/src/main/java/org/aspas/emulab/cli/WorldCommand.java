package org.aspas.emulab.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code aspas world}: what can be done with a world by itself. */
@Command(
        name = "world",
        description = "Run a deployment in a world, or measure how accurately this machine reproduces its delays.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas world run aws5 lab",
            "  aspas world measure",
            "  chrt -f 50 ./aspas world measure --world aws5 --rate 10000"
        },
        subcommands = {WorldRunCommand.class, WorldMeasureCommand.class},
        synopsisSubcommandLabel = "run|measure")
final class WorldCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new IllegalArgumentException("world needs 'run' or 'measure'; see aspas world --help");
    }
}
