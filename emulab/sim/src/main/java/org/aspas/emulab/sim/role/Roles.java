package org.aspas.emulab.sim.role;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.certify.identity.ClientId;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.ServerConduct;

/** The Byzantine roles by name. Names joined by {@code +} make one role that does all of them. */
public final class Roles {
    private static final Map<String, Function<Power, ServerConduct>> SERVERS = new TreeMap<>();
    private static final Map<String, Function<Power, ReplicaConduct>> REPLICAS = new TreeMap<>();

    private static final Map<String, BadClient.Kind> CLIENTS = BadClient.byName();

    static {
        SERVERS.put("silent", Withholding::silent);
        SERVERS.put("silent-to-peers", Withholding::silentToPeers);
        SERVERS.put("mute", Withholding::mute);
        SERVERS.put("selective", Withholding::selective);
        SERVERS.put("delaying", Withholding::delaying);
        SERVERS.put("withholding-certificates", Withholding::withoutCertificates);
        SERVERS.put("lying-reports", power -> Lying.reports(power, true));
        SERVERS.put("high-reports-no-stable", power -> Lying.reports(power, false));
        SERVERS.put("low-reports", Lying::lowReports);
        SERVERS.put("lopsided-reports", Lying::lopsidedReports);
        SERVERS.put("wrong-stable", Lying::stables);
        SERVERS.put("stale-certificates", Lying::staleCertificates);
        SERVERS.put("forged-certificates", ForgedCertificates::new);
        SERVERS.put("certificates-going-back", Lying::certificatesGoingBack);
        SERVERS.put("signed-forged-certificates", Lying::signedForgedCertificates);
        SERVERS.put("undersigned-certificates", FewSignatures::new);
        SERVERS.put("wrong-inspections", LyingWitness::inspections);
        SERVERS.put("wrong-standings", LyingWitness::standings);
        SERVERS.put("false-accusing", FalseAccuser::new);
        SERVERS.put("wrong-values", Lying::values);
        SERVERS.put("wrong-entries", Lying::leaves);
        SERVERS.put("shared-places", SharedPlaces::new);
        SERVERS.put("denying", Lying::denial);
        SERVERS.put("garbage", Noise::garbage);
        SERVERS.put("mutating", Noise::mutation);
        SERVERS.put("replaying", Noise::replay);
        SERVERS.put("flooding", Noise::flood);
        SERVERS.put("impersonating", Impersonating::origins);
        SERVERS.put("forking", TwoLives::fork);
        SERVERS.put("twins", TwoLives::shifting);
        SERVERS.put("two-logs", TwoLives::clientsAgainstPeers);
        SERVERS.put(
                "false-confirmations",
                power -> new Chain(List.of(TwoLives.clientsAgainstPeers(power), new FalseConfirmations(power))));
        SERVERS.put("forged-requests", power -> new ForgedLog(power, ForgedLog.Kind.FORGED));
        SERVERS.put("replayed-requests", power -> new ForgedLog(power, ForgedLog.Kind.REPLAYED));
        SERVERS.put("ghost-dependencies", power -> new ForgedLog(power, ForgedLog.Kind.GHOSTS));
        SERVERS.put("understated-dependencies", power -> new ForgedLog(power, ForgedLog.Kind.UNDERSTATED));
        SERVERS.put("narrow-dependencies", Roles::narrow);
        SERVERS.put("backward-dependencies", power -> new ForgedLog(power, ForgedLog.Kind.BACKWARDS));
        SERVERS.put("cyclic-dependencies", CyclicBranch::new);
        SERVERS.put("broken-last-entry", power -> new ForgedLog(power, ForgedLog.Kind.LAST));
        SERVERS.put("heads-of-nothing", HeadsOfNothing::new);
        SERVERS.put("two-stables", TwoStables::new);
        SERVERS.put("low-stables", LowStables::new);
        SERVERS.put("stale-certified-reads", StaleReads::new);
        SERVERS.put("fuzzing-fields", FuzzingServer::new);
        REPLICAS.put("replica-fuzzing-fields", FuzzingReplica::new);
        REPLICAS.put("replica-silent", BadReplica::silent);
        REPLICAS.put("replica-wrong-shares", power -> BadReplica.shares(power, false));
        REPLICAS.put("replica-two-shares", power -> BadReplica.shares(power, true));
        REPLICAS.put("replica-ticks-ahead", BadReplica::ticksAhead);
        REPLICAS.put("replica-false-questions", BadReplica::questions);
        REPLICAS.put("replica-false-accepts", BadReplica::accepts);
        REPLICAS.put("replica-impersonating", Impersonating::commands);
        REPLICAS.put("replica-noise", BadReplica::noise);
    }

    private Roles() {}

    /** One whose entries name less than they depend on, and who reports so that versions are asked for in which that is missing. */
    private static ServerConduct narrow(Power power) {
        return new Chain(List.of(new ForgedLog(power, ForgedLog.Kind.NARROW), new Hearsay(power)));
    }

    /** The roles of appservers. */
    public static List<String> servers() {
        return List.copyOf(SERVERS.keySet());
    }

    /** The roles of bftservers. */
    public static List<String> replicas() {
        return List.copyOf(REPLICAS.keySet());
    }

    /** The roles of clients. */
    public static List<String> clients() {
        return List.copyOf(CLIENTS.keySet());
    }

    /** Whether a client can have this role. */
    public static boolean isClient(String name) {
        return CLIENTS.containsKey(name);
    }

    /** A Byzantine client with this role, which knows the names of the correct ones. */
    public static BadClient client(
            String name, Power power, Timeline timeline, ClientLines lines, List<ClientId> others) {
        BadClient.Kind kind = CLIENTS.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("there is no role " + name + " of a client");
        }
        return new BadClient(power, kind, timeline, lines, others);
    }

    /** The roles of appservers whose every misdeed leaves a proof with somebody correct who works or inspects. */
    private static final Set<String> PROVABLE = Set.of(
            "backward-dependencies",
            "certificates-going-back",
            "forged-requests",
            "signed-forged-certificates",
            "wrong-stable",
            "wrong-values");

    /** The roles of appservers that prove themselves once they put two entries at one place before correct parties. */
    private static final Set<String> CONTRADICTING = Set.of(
            "cyclic-dependencies", "forking", "narrow-dependencies", "twins", "two-logs", "understated-dependencies");

    /**
     * Provable roles that the scenario {@code provable-lies} does not go through: they came when its seeds had their meaning.
     * With no faults and three clients for each server they run as that scenario does.
     */
    private static final Set<String> PROVABLE_BY_NAME = Set.of("broken-last-entry", "heads-of-nothing", "two-stables");

    /** Whether nothing that an appserver with this role does can stay without proof when servers and network work. */
    public static boolean isProvable(String name) {
        return PROVABLE.contains(name) || CONTRADICTING.contains(name) || PROVABLE_BY_NAME.contains(name);
    }

    /** Whether what an appserver with this role does is proof from the first two entries at one place on. */
    public static boolean isProvableByContradiction(String name) {
        return CONTRADICTING.contains(name);
    }

    /** The provable roles that the scenario {@code provable-lies} goes through, in the order of its seeds. */
    public static List<String> provable() {
        return SERVERS.keySet().stream()
                .filter(name -> isProvable(name) && !PROVABLE_BY_NAME.contains(name))
                .toList();
    }

    /** Whether an appserver can have this role. */
    public static boolean isServer(String name) {
        return SERVERS.containsKey(name.split("\\+", -1)[0]);
    }

    /** Whether a bftserver can have this role. */
    public static boolean isReplica(String name) {
        return REPLICAS.containsKey(name);
    }

    /** The conduct of an appserver with this role. */
    public static ServerConduct server(String name, Power power) {
        List<ServerConduct> parts = new ArrayList<>();
        for (String part : name.split("\\+", -1)) {
            Function<Power, ServerConduct> maker = SERVERS.get(part);
            if (maker == null) {
                throw new IllegalArgumentException("there is no role " + part + " of an appserver");
            }
            parts.add(maker.apply(power));
        }
        return parts.size() == 1 ? parts.get(0) : new Chain(parts);
    }

    /** The conduct of a bftserver with this role. */
    public static ReplicaConduct replica(String name, Power power) {
        Function<Power, ReplicaConduct> maker = REPLICAS.get(name);
        if (maker == null) {
            throw new IllegalArgumentException("there is no role " + name + " of a bftserver");
        }
        return maker.apply(power);
    }
}
