package org.aspas.emulab.baselines;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.baselines.ap.CausalMachine;
import org.aspas.emulab.baselines.ap.EchoMachine;
import org.aspas.emulab.baselines.bft.OrderedSystems;
import org.aspas.emulab.baselines.obft.ObftSystem;
import org.aspas.emulab.baselines.obft.core.ObftSettings;
import org.aspas.emulab.baselines.shell.ShellServers;
import org.aspas.emulab.baselines.shell.ShellSystem;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.ToleranceMix;

/** The systems that can be run, by name. */
public final class SystemCatalogue {
    /** ASPAS2, which is run unless another system is asked for. */
    public static final SystemChoice USUAL = aspas("aspas2", ToleranceMix.ASPAS2);

    private static final Set<String> BARE = Set.of("bft", "bft-sites");

    /** ASPAS with stores. */
    private static final Pattern KEEPING = Pattern.compile("(aspas[0-4]):(sync|os|memory)");

    /** OBFT with an interval of its own. */
    private static final Pattern OBFT = Pattern.compile("obft:([1-9][0-9]{0,4})");

    private static final List<SystemChoice> ALL = List.of(
            aspas("aspas0", ToleranceMix.ASPAS0),
            aspas("aspas1", ToleranceMix.ASPAS1),
            USUAL,
            aspas("aspas3", ToleranceMix.ASPAS3),
            aspas("aspas4", ToleranceMix.ASPAS4),
            new SystemChoice(
                    "ap",
                    "the appserver's shells, the same CRDTs and causal broadcast, no certification, no cryptography",
                    ToleranceMix.ASPAS0,
                    options -> shells("ap", options, CausalMachine::new, true)),
            ordered(
                    "bft",
                    "plain BFT-SMaRt: clients reach its n=3b+1 replicas by its own ports; reads are ordered too",
                    options -> OrderedSystems.bare("bft", options.quorums())),
            ordered(
                    "bft-sites",
                    "as bft, with one replica at each site: n=3f+1",
                    options -> OrderedSystems.bare("bft-sites", sites(options.quorums()))),
            ordered(
                    "bft-contained",
                    "as bft, the replicas behind the isolation of ASPAS's bftservers",
                    options -> OrderedSystems.inCluster("bft-contained", options.quorums(), options.network())),
            ordered(
                    "bft-contained-sites",
                    "as bft-contained, with one replica at each site: n=3f+1",
                    options ->
                            OrderedSystems.atSites("bft-contained-sites", sites(options.quorums()), options.network())),
            ordered(
                    "bft-relayed",
                    "as bft-contained, but clients reach the replicas through N=3f+1 appservers, which they believe",
                    options -> OrderedSystems.relayed("bft-relayed", options.quorums(), options.network())),
            new SystemChoice(
                    "echo",
                    "the appserver's shells, which answer at once and keep nothing: the least that a request costs",
                    ToleranceMix.ASPAS0,
                    options -> shells("echo", options, EchoMachine::new, false)),
            obft("obft", ObftSettings.USUAL_INTERVAL));

    private SystemCatalogue() {}

    private static SystemChoice aspas(String name, ToleranceMix mix) {
        return new SystemChoice(name, "ASPAS with the clients of Table 1: " + mix.text(), mix, SystemCatalogue::aspas);
    }

    private static SystemUnderTest aspas(SystemChoice.Options options)
            throws IOException, InterruptedException, TimeoutException {
        Cluster cluster =
                Cluster.start(options.quorums(), options.keeping().options().in(options.network()));
        List<Integer> all = IntStream.range(0, cluster.appservers()).boxed().toList();
        return AspasSystem.of(cluster, all, options.policy(), options.patience());
    }

    private static Quorums sites(Quorums quorums) {
        return new Quorums(quorums.f(), quorums.f());
    }

    private static SystemChoice ordered(String name, String about, SystemChoice.Starter starter) {
        return new SystemChoice(name, about, ToleranceMix.ASPAS0, options -> ready(starter.start(options), options));
    }

    /** The system once it serves; closed if it does not in time. */
    private static SystemUnderTest ready(SystemUnderTest system, SystemChoice.Options options)
            throws IOException, InterruptedException, TimeoutException {
        boolean ready = false;
        try {
            system.awaitServing(options.patience());
            ready = true;
            return system;
        } finally {
            if (!ready) {
                system.close();
            }
        }
    }

    private static SystemChoice obft(String name, int interval) {
        return new SystemChoice(
                name,
                "OBFT (Chai, Zhao 2014), reconstructed: answers at once, with HMACs, and stops its clients every "
                        + interval + " updates to agree on them; obft:N for every N",
                ToleranceMix.ASPAS0,
                options -> ObftSystem.start(options.quorums(), interval, options.patience(), options.network()));
    }

    private static SystemUnderTest shells(
            String name,
            SystemChoice.Options options,
            Function<CoreSettings, AppServerMachine> machine,
            boolean converging)
            throws IOException, InterruptedException, TimeoutException {
        ShellServers servers = ShellServers.start(
                options.quorums(),
                server -> (settings, records, store, links) -> machine.apply(settings),
                options.network());
        return ready(new ShellSystem(name, servers, converging), options);
    }

    public static List<SystemChoice> all() {
        return ALL;
    }

    /** Whether a system is ASPAS, whose clients have policies, and not one that it is compared with. */
    public static boolean isAspas(SystemChoice choice) {
        return choice.name().startsWith("aspas");
    }

    /** Those that can be in a world: not the bare ones, whose own ports nothing delays. */
    public static List<SystemChoice> inWorlds() {
        return ALL.stream().filter(choice -> !BARE.contains(choice.name())).toList();
    }

    /** The system of a name, in capitals or not; {@code aspas2:sync} is ASPAS2 with stores. */
    public static Optional<SystemChoice> named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        Matcher keeping = KEEPING.matcher(wanted);
        if (keeping.matches()) {
            Durability durability = Durability.valueOf(keeping.group(2).toUpperCase(Locale.ROOT));
            return named(keeping.group(1)).map(system -> system.keeping(durability));
        }
        Matcher obft = OBFT.matcher(wanted);
        return obft.matches()
                ? Optional.of(obft(wanted, Integer.parseInt(obft.group(1))))
                : ALL.stream().filter(choice -> choice.name().equals(wanted)).findFirst();
    }
}
