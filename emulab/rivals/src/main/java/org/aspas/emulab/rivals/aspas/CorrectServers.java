package org.aspas.emulab.rivals.aspas;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.lab.cluster.AppserverAccess;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;

/**
 * What is asked of the correct appservers, wherever they run.
 *
 * @param correct those that are not Byzantine, by their indexes
 */
record CorrectServers(AppserverAccess access, List<Integer> correct) {
    private static final long POLL_MILLIS = 50;

    CorrectServers {
        correct = List.copyOf(correct);
    }

    /** The session records of clients are entries, so that a certificate follows as soon as the back end works. */
    void awaitServing(Duration patience) throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (int server = 0; server < access.appservers(); server++) {
            while (access.probe(server).standing().certificate() == 0) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(
                            "appserver-" + server + " has no certificate after " + patience.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    long newestCertificate() throws IOException, InterruptedException {
        long newest = 0;
        for (int server : correct) {
            newest = Math.max(newest, access.probe(server).standing().certificate());
        }
        return newest;
    }

    /** How many entries are delivered where most are. */
    long entries() throws IOException, InterruptedException {
        long most = 0;
        for (int server : correct) {
            most = Math.max(most, access.probe(server).standing().entries());
        }
        return most;
    }

    /** How long the steps of certification took in the last minute, by what appservers see. */
    Map<LagStep, DurationFigures> lagSteps() throws IOException, InterruptedException {
        Map<LagStep, List<DurationFigures>> told = new EnumMap<>(LagStep.class);
        for (int server : correct) {
            access.probe(server)
                    .lagSteps()
                    .forEach((step, figures) ->
                            told.computeIfAbsent(step, any -> new ArrayList<>()).add(figures));
        }
        Map<LagStep, DurationFigures> all = new EnumMap<>(LagStep.class);
        told.forEach((step, figures) -> all.put(step, DurationFigures.together(figures)));
        return all;
    }

    Convergence converge(Ledger ledger, ClientResources resources, Duration patience) throws InterruptedException {
        ClientOptions asking = ClientOptions.defaults().withResources(resources).withPolicy(Policy.STAY);
        return new ConvergenceCheck(access, correct, ledger, asking, patience).run();
    }
}
