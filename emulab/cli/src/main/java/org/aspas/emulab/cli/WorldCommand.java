package org.aspas.emulab.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code aspas world}: what can be done with a world by itself. */
@Command(
        name = "world",
        description = "Measure how well this machine holds the delays of a world.",
        footerHeading = "%nExamples:%n",
        footer = {"  aspas world measure", "  chrt -f 50 ./aspas world measure --world aws5 --rate 10000"},
        subcommands = WorldMeasureCommand.class,
        synopsisSubcommandLabel = "measure")
final class WorldCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new IllegalArgumentException("world needs 'measure'; see aspas world --help");
    }
}
