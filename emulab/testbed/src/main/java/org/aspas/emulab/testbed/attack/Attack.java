package org.aspas.emulab.testbed.attack;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.client.api.AspasClient;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;

/**
 * One Byzantine appserver of a deployment on real sockets, in a role of the simulator, from a moment on. Thread-safe.
 *
 * <p>The role's choices come from a seed; when they fall due depends on the machine, so that no two runs are alike.
 */
public final class Attack {
    private final String role;
    private final int server;
    private final long seed;
    private final AttackTimeline chronicle;
    private volatile boolean begun;

    /**
     * The first attack on a world's timeline; empty when there is none.
     *
     * @param teller prints one line of what happens; called by many threads, one at a time
     */
    public static Optional<Attack> of(WorldMap world, long seed, Consumer<String> teller) {
        return world.faults().stream()
                .filter(WorldFault.Misbehave.class::isInstance)
                .map(WorldFault.Misbehave.class::cast)
                .findFirst()
                .map(one -> new Attack(one.role(), one.node().index(), seed, teller));
    }

    /**
     * Prepares an attack, which {@link #begin} starts.
     *
     * @param role the name of a role of appservers; several joined by {@code +} are one that does all of them
     * @param teller prints one line of what happens; called by many threads, one at a time
     * @throws IllegalArgumentException when there is no such role
     */
    public Attack(String role, int server, long seed, Consumer<String> teller) {
        if (!Roles.isServer(role)) {
            throw new IllegalArgumentException("there is no role " + role + " of an appserver");
        }
        this.role = role;
        this.server = server;
        this.seed = seed;
        this.chronicle =
                new AttackTimeline(server, Set.of(), System::nanoTime, line -> teller.accept(line.forTerminal()));
    }

    public int server() {
        return server;
    }

    public String role() {
        return role;
    }

    /** What an appserver of the deployment is to run: the Byzantine one, or a correct one that is watched. */
    public MachineMaker machine(int appserver) {
        return appserver == server
                ? new ByzantineMaker(role, seed, () -> begun, chronicle::misdeed)
                : (settings, records, store, links) ->
                        new WatchedMachine(appserver, AppServerCore.recover(settings, records, store), chronicle);
    }

    public void watch(int number, AspasClient client) {
        chronicle.starts(number, client.server());
        client.events(event -> chronicle.event(number, event));
        client.listen(notice -> chronicle.notice(number, notice));
    }

    /** Marks the start of the workload, from which the time of the first misdeed is counted. */
    public void workloadBegins() {
        chronicle.workloadBegins();
    }

    /** Lets the attack begin; until then the server is correct. */
    public void begin() {
        chronicle.begin(role);
        begun = true;
    }

    /**
     * Reports what happened so far.
     *
     * @param lost how many acknowledged updates the correct servers do not have
     */
    public ByzantineReport report(long lost) {
        return chronicle.report(role, Roles.line(role), lost);
    }
}
