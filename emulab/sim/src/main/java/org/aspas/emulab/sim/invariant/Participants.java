package org.aspas.emulab.sim.invariant;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Quorums;

/**
 * Who takes part in a run, and who of them is correct.
 *
 * @param liars the Byzantine appservers' indices
 * @param lyingReplicas the Byzantine bftservers' indices
 * @param clients the number of correct clients, with the indices from 0
 * @param homes for each correct client the appserver that it begins at
 * @param loyal whether the clients that begin at a correct appserver stay there
 * @param forgetful those of the Byzantine appservers that do not lie, but came back with a lost or older disk
 * @param astray those of the forgetful that may sign twice before anybody tells them what they forgot: they may be convicted
 * @param provable the Byzantine appservers whose misdeeds cannot stay without proof in this run
 */
public record Participants(
        Quorums quorums,
        Set<Integer> liars,
        Set<Integer> lyingReplicas,
        int clients,
        Map<Integer, Integer> homes,
        boolean loyal,
        Set<Integer> forgetful,
        Set<Integer> astray,
        Set<Integer> provable) {
    public Participants {
        liars = Set.copyOf(liars);
        lyingReplicas = Set.copyOf(lyingReplicas);
        homes = Map.copyOf(homes);
        forgetful = Set.copyOf(forgetful);
        astray = Set.copyOf(astray);
        provable = Set.copyOf(provable);
    }

    /** Whether nobody is Byzantine. */
    public boolean honest() {
        return liars.isEmpty() && lyingReplicas.isEmpty();
    }

    public boolean correct(int appserver) {
        return !liars.contains(appserver);
    }

    /** Whether an appserver must never be blamed: it is correct, or forgot, and knew it or was told before it could do harm. */
    public boolean blameless(int appserver) {
        return !lies(appserver) && !astray.contains(appserver);
    }

    /** Whether an appserver lies on purpose. */
    public boolean lies(int appserver) {
        return liars.contains(appserver) && !forgetful.contains(appserver);
    }

    public List<Integer> correctAppservers() {
        return IntStream.range(0, quorums.appservers())
                .filter(this::correct)
                .boxed()
                .toList();
    }

    /** Whether a correct client began at a correct appserver and never comes to another kind. */
    public boolean atCorrectServer(int client) {
        return correct(homes.getOrDefault(client, 0)) && (loyal || liars.isEmpty());
    }
}
