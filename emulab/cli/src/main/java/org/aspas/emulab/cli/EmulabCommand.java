package org.aspas.emulab.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code emulab}: experiments from files, their run folders, and what follows from them. */
@Command(
        name = "emulab",
        description = "Run experiments and measurements, and compare the results.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ExperimentCommand.Shipped.class,
            ExperimentCommand.Run.class,
            CompareCommand.class,
            ExperimentCommand.Rerun.class,
            TauCommand.class,
            GrowthCommand.class,
            FillCommand.class,
            StartupCommand.class,
            IdleCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas emulab list",
            "  aspas emulab run smoke",
            "  aspas emulab compare .aspas/runs/smoke-1 .aspas/runs/smoke-2",
            "  aspas emulab tau --world aws5 --rate 2",
            "  aspas emulab growth --minutes 30",
            "  aspas emulab fill big --objects 100000",
            "  aspas emulab startup big",
            "  aspas emulab idle lab"
        })
final class EmulabCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
