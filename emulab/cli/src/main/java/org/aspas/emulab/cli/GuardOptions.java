package org.aspas.emulab.cli;

import org.aspas.client.core.Policy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the clients of a run guard themselves. */
final class GuardOptions {
    private static final double PERCENT = 100.0;
    private static final double USUAL_PERCENT = 1;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = "--inspect",
            paramLabel = "PERCENT",
            description = "percentage of answers that clients have inspected, 0 to 100, limited to the 10 a second that"
                    + " servers allow one client; the clients also leave bad servers. Without this option they stay"
                    + " with their server and inspect nothing")
    private @Nullable Double inspect;

    /**
     * The policy asked for; null when none is.
     *
     * @throws ParameterException when the number is out of range
     */
    @Nullable
    Policy policy() {
        return inspect == null ? null : inspecting("--inspect", inspect);
    }

    /** The policy for a run with a Byzantine server: the usual inspection unless another one is asked for. */
    Policy attacked() {
        return inspecting("--inspect", inspect == null ? USUAL_PERCENT : inspect);
    }

    /**
     * Refuses options that another one leaves no room for.
     *
     * @param compared whether {@code --compare-inspection} was given
     */
    void notWith(String option, boolean compared) {
        if (inspect != null || compared) {
            throw new ParameterException(
                    command.commandLine(), option + " does not inspect: leave --inspect and --compare-inspection out");
        }
    }

    /** The policy of a comparison, which sets the rates itself. */
    Policy compared(double percent) {
        if (inspect != null) {
            throw new ParameterException(
                    command.commandLine(), "--compare-inspection sets the rates itself: leave --inspect out");
        }
        return inspecting("--compare-inspection", percent);
    }

    /** The usual policy with another rate of inspection, and without a budget. */
    private Policy inspecting(String option, double percent) {
        if (!(percent >= 0 && percent <= PERCENT)) {
            throw new ParameterException(command.commandLine(), option + " is " + percent + ", but must be 0 to 100");
        }
        return Policy.USUAL.withInspection(percent / PERCENT, Integer.MAX_VALUE);
    }
}
