package org.aspas.emulab.experiments.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A grid of steps: every system in every world under every workload with every number of clients, several times.
 *
 * @param name of the part, unlike all others of its experiment
 * @param clients the numbers of clients, in the order of the file
 * @param repetitions how often each is measured, from 1
 * @param warmUpMicros before anything is measured, 0 or more
 * @param rewarmMicros the same where a process has warmed the system up for the workload before
 * @param micros how long is measured, above 0
 * @param f the faults borne among appservers
 * @param b the faults borne among bftservers
 */
public record PlanPart(
        String name,
        Substrate substrate,
        List<String> systems,
        List<String> worlds,
        List<String> workloads,
        List<Integer> clients,
        int repetitions,
        long warmUpMicros,
        long rewarmMicros,
        long micros,
        int f,
        int b,
        StepLoad load) {
    public PlanPart {
        systems = List.copyOf(systems);
        worlds = List.copyOf(worlds);
        workloads = List.copyOf(workloads);
        clients = List.copyOf(clients);
    }

    /**
     * The steps in the order in which they run. The systems take turns at each point, forwards in one repetition and
     * backwards in the next (A B, B A), so that what drifts evenly weighs on all alike.
     */
    List<PlannedStep> steps(long seed) {
        List<PlannedStep> steps = new ArrayList<>();
        for (String world : worlds) {
            for (String workload : workloads) {
                for (int number : clients) {
                    for (int repetition = 1; repetition <= repetitions; repetition++) {
                        for (int turn = 0; turn < systems.size(); turn++) {
                            int index = repetition % 2 == 1 ? turn : systems.size() - 1 - turn;
                            steps.add(new PlannedStep(
                                    name,
                                    substrate,
                                    systems.get(index),
                                    world,
                                    workload,
                                    number,
                                    repetition,
                                    warmUpMicros,
                                    rewarmMicros,
                                    micros,
                                    f,
                                    b,
                                    load,
                                    seed + repetition - 1));
                        }
                    }
                }
            }
        }
        return steps;
    }
}
