package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.aspas.emulab.experiments.costs.CostMeasurement;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.processor.CostFile;
import org.aspas.emulab.sim.processor.LoadedSystem;
import org.aspas.emulab.sim.processor.ProcessorModel;
import org.aspas.emulab.sim.processor.StepMeter;
import org.aspas.emulab.sim.run.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code simulate} by which work takes time. */
final class CostOptions {
    private static final String MEASURE = "measure";
    private static final double MICROS = 1e6;
    /** The part of the run that is not measured, unless an option says more. */
    private static final double WARM_UP = 0.25;

    @Option(
            names = "--costs",
            paramLabel = "measure|FILE",
            description =
                    "Let work take processor time: what it costs is measured now, in about a minute, or read from a"
                            + " file of --measure-costs. Then there are no faults, all clients call as soon as they are"
                            + " answered unless --pause-ms says otherwise, they update records (--workload counters) and"
                            + " never wait for certificates (--system aspas0).")
    private @Nullable String costs;

    @Option(
            names = "--measure-costs",
            paramLabel = "FILE",
            description = "Measure what work costs on this machine, write it here, and end unless --costs is given.")
    private @Nullable Path measured;

    @Option(
            names = "--cores",
            paramLabel = "K",
            defaultValue = "2",
            description = "With --costs: the processor cores of each machine (default: 2).")
    private int cores = 2;

    @Option(
            names = "--clients-per-machine",
            paramLabel = "C",
            defaultValue = "50",
            description = "With --costs: how many clients share a machine (default: 50). Each server has its own.")
    private int clientsPerMachine = 50;

    @Option(
            names = "--one-machine",
            description = "With --costs: all servers and clients share one machine, as in bench and demo.")
    private boolean oneMachine;

    @Option(
            names = "--system",
            defaultValue = "aspas0",
            description =
                    "With --costs: aspas0 to aspas4, the paper's mixes of τ (aspas0: no client waits), or ap: aspas0"
                            + " whose signatures, bftservers and messages for certification cost nothing (default:"
                            + " aspas0).")
    private LoadedSystem system = LoadedSystem.ASPAS0;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "With --costs: virtual seconds that are not measured (default: a quarter of --minutes).")
    private @Nullable Double warmUpSeconds;

    /** Whether costs are to be measured and nothing else is to be done. */
    boolean onlyMeasures() {
        return measured != null && costs == null;
    }

    /**
     * The settings with what work costs; the same settings without {@code --costs}.
     *
     * @param pauseGiven whether the pause between calls was asked for
     * @param workload the workload that was asked for; null for the usual one
     */
    Settings applied(Settings settings, boolean pauseGiven, Workload.@Nullable Mix workload) throws IOException {
        if (costs == null) {
            return settings;
        }
        double warmUp = warmUpSeconds == null ? settings.micros() * WARM_UP : warmUpSeconds * MICROS;
        if (!(warmUp >= 0 && warmUp < settings.micros())) {
            throw new IllegalArgumentException("--warmup is " + warmUp / MICROS + " s: it takes 0 to less than the "
                    + settings.micros() / MICROS + " s of the run");
        }
        ProcessorModel model = new ProcessorModel(
                file().costs(), cores, clientsPerMachine, oneMachine, system, Math.round(warmUp), StepMeter.NONE);
        return settings.withFaults(Set.of(), settings.faultPauseMicros())
                .withClients(settings.clients(), pauseGiven ? settings.pauseMicros() : 0)
                .withWorkload(workload == null ? Workload.Mix.COUNTERS : workload)
                .withProcessors(model);
    }

    private CostFile file() throws IOException {
        String from = String.valueOf(costs);
        if (from.toLowerCase(Locale.ROOT).equals(MEASURE)) {
            return measure();
        }
        return CostFile.read(from, InputFile.bytes(Path.of(from)));
    }

    /** Measures what work costs, and writes it where it is wanted. */
    CostFile measure() throws IOException {
        CostFile file = CostMeasurement.measure(System.out::println);
        if (measured != null) {
            Files.writeString(measured, file.text());
        }
        return file;
    }
}
