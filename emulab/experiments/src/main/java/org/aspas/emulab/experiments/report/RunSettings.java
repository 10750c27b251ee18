package org.aspas.emulab.experiments.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.ToleranceMix;

/**
 * What was run, on what.
 *
 * @param seconds the planned length in seconds
 * @param warmUpSeconds how long the system ran before anything was measured, by clients of its own;
 *     0 for not at all
 * @param rttMillis the emulated round trip between client and appserver in milliseconds; 0 for none
 * @param switching whether clients leave a server that withholds, lies or cannot be reached
 * @param inspectPercent how many answers in a hundred the clients have inspected
 * @param f the faults borne among appservers
 * @param b the faults borne among bftservers
 * @param records how many records each workload has
 */
public record RunSettings(
        String command,
        String system,
        ToleranceMix mix,
        int clients,
        LoadModel load,
        int seconds,
        @JsonProperty("warmup_seconds") int warmUpSeconds,
        @JsonProperty("rtt_ms") int rttMillis,
        boolean switching,
        double inspectPercent,
        int f,
        int b,
        long seed,
        @JsonProperty("workloads") List<String> phases,
        int records,
        @JsonProperty("java") String javaVersion,
        int cores) {
    /** The class of each client. */
    public List<ToleranceClass> classes() {
        return mix.deal(clients);
    }

    /** The same run with another number of clients, and another warm-up in seconds. */
    public RunSettings withClients(int number, int warmUp) {
        return with(system, mix, number, load, warmUp, switching, inspectPercent);
    }

    public RunSettings loaded(LoadModel other) {
        return with(system, mix, clients, other, warmUpSeconds, switching, inspectPercent);
    }

    public RunSettings against(String other, ToleranceMix classes) {
        return with(other, classes, clients, load, warmUpSeconds, switching, inspectPercent);
    }

    public RunSettings guarded(boolean leaving, double percent) {
        return with(system, mix, clients, load, warmUpSeconds, leaving, percent);
    }

    private RunSettings with(
            String name,
            ToleranceMix classes,
            int number,
            LoadModel model,
            int warmUp,
            boolean leaving,
            double percent) {
        return new RunSettings(
                command,
                name,
                classes,
                number,
                model,
                seconds,
                warmUp,
                rttMillis,
                leaving,
                percent,
                f,
                b,
                seed,
                phases,
                records,
                javaVersion,
                cores);
    }
}
