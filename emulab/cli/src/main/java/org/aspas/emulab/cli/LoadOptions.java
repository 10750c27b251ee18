package org.aspas.emulab.cli;

import java.util.Map;
import java.util.OptionalInt;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.workload.Arrivals;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ToleranceMix;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** When the operations of a run begin, and how many updates its clients let be unconfirmed. */
final class LoadOptions {
    private static final int MOST_PER_SECOND = 1_000_000;
    private static final int MOST_PERCENT = 200;
    private static final String PERCENT = "%";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = "--rate",
            paramLabel = "N|P%",
            description = "open loop: N operations a second begin over all clients, whether earlier ones have ended or "
                    + "not, and latency counts from when they should have begun; 1 to 1000000. P%% is that share of what"
                    + " the system does in a closed loop of as many clients without emulated delay, measured for ten"
                    + " seconds after the warm-up; with --compare, of the slowest, and the same for all"
                    + ". A client with τ=1 begins one update a certificate and no more: --tau unbounded=100 leaves them out"
                    + " (default: closed loop)")
    private @Nullable String rate;

    @Option(
            names = "--arrivals",
            paramLabel = "A",
            defaultValue = "poisson",
            description = "with --rate: poisson or uniform (default: ${DEFAULT-VALUE})")
    private Arrivals arrivals = Arrivals.POISSON;

    @Option(
            names = "--open-updates",
            paramLabel = "K",
            defaultValue = "1",
            description =
                    "closed loop: each client has K operations open at once, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int openEach = 1;

    @Option(
            names = "--tau",
            paramLabel = "TAU=PERCENT",
            split = ",",
            description = "the clients' classes instead of those of --system: how many percent of them let how many "
                    + "updates be unconfirmed, such as 1=20,10=40,unbounded=40")
    private @Nullable Map<String, Integer> mix;

    WorkloadRun applied(WorkloadRun run, OptionalInt target) {
        WorkloadRun loaded = run.loaded(model(target));
        if (mix == null) {
            return loaded;
        }
        try {
            return loaded.mixed(new ToleranceMix(mix));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), "--tau: " + wrong.getMessage(), wrong);
        }
    }

    private LoadModel model(OptionalInt target) {
        Ranges.check(command, "--open-updates", openEach, 1, 1000);
        if (rate == null && target.isEmpty()) {
            return new LoadModel.Closed(openEach);
        }
        if (openEach > 1) {
            throw new ParameterException(
                    command.commandLine(), "--rate opens as many operations as it takes: leave --open-updates out");
        }
        boolean share = rate != null && rate.endsWith(PERCENT);
        int number = rate == null ? target.orElse(1) : number(share ? rate.substring(0, rate.length() - 1) : rate);
        Ranges.check(command, "--rate", number, 1, share ? MOST_PERCENT : MOST_PER_SECOND);
        return share ? new LoadModel.Share(number / 100.0, arrivals) : new LoadModel.Open(number, arrivals);
    }

    private int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException none) {
            throw new ParameterException(
                    command.commandLine(), "--rate is " + rate + ", but must be a whole number, or one and %", none);
        }
    }
}
